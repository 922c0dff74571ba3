package dev.duetime.specification.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.handlers.Handlers;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A recurring timer goes to its handler, whatever the number of nodes and deploys. */
class RecurringHandlersTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<Instant> handled = new ArrayList<>();

    // Polls and renews less often than usual, because the tests let days pass. It starts in a Berlin winter.
    private final TimerKit kit = TimerKit.builder()
            .notStarted()
            .startTime(Instant.parse("2030-03-29T12:00:00Z"))
            .configure(scheduler -> scheduler.leaseDuration(MINUTE).pollInterval(MINUTE))
            .build();

    @AfterEach
    void close() {
        kit.close();
    }

    private KitNode deploy(Handlers.Builder handlers) {
        Handlers built = handlers.build();
        KitNode node = kit.addNode(scheduler -> scheduler.extension(built));
        kit.runDue();
        return node;
    }

    private Handlers.Builder reportsAt(int hour) {
        return Handlers.builder()
                .queue("reports")
                .recurring(
                        "report",
                        Recurrence.daily(LocalTime.of(hour, 0), BERLIN),
                        due -> handled.add(due.event().dueAt()));
    }

    @Test
    void everyDayAtEightInBerlinIsOneCallOnTwoNodesThroughTheChangeOfClocks() {
        deploy(reportsAt(8));
        deploy(reportsAt(8));

        kit.advance(Duration.ofDays(3));

        assertThat(handled)
                .containsExactly(
                        Instant.parse("2030-03-30T07:00:00Z"),
                        Instant.parse("2030-03-31T06:00:00Z"),
                        Instant.parse("2030-04-01T06:00:00Z"));
    }

    @Test
    void anOccurrenceHasNoDeadlineWhateverTheDefault() {
        List<Envelope> due = new ArrayList<>();
        Handlers handlers = Handlers.builder()
                .recurring("refresh", Recurrence.every(MINUTE), due::add)
                .build();
        kit.addNode(scheduler -> scheduler.validFor(MINUTE).extension(handlers));

        kit.advance(MINUTE.multipliedBy(2));

        assertThat(due)
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.expiresAt()).isNull());
    }

    @Test
    void anotherTimeOfANewVersionReplacesTheFormerOne() {
        deploy(reportsAt(8)).scheduler().close();
        deploy(reportsAt(20));

        kit.advance(Duration.ofDays(1));

        assertThat(handled).containsExactly(Instant.parse("2030-03-29T19:00:00Z"));
    }

    @Test
    void aCancelledTimerIsStoredAgainWithinAMinute() {
        deploy(reportsAt(20));
        kit.scheduler().cancel(Handlers.keyOf("reports", "report"));

        kit.advance(Duration.ofDays(1));

        assertThat(handled).hasSize(1);
    }

    @Test
    void aRemovedTimerIsCancelledAndOthersStay() {
        deploy(reportsAt(8)).scheduler().close();
        TimerKey others = TimerKey.of("duetime", "handlers/reports/other");
        deploy(Handlers.builder().queue("reports").on("x", due -> {}).removed("report"));
        kit.node(1)
                .scheduler()
                .schedule(Timer.recurring(others, Recurrence.every(Duration.ofDays(9)))
                        .queue("reports")
                        .build());

        kit.advance(Duration.ofDays(2));

        assertThat(handled).isEmpty();
        assertThat(state(Handlers.keyOf("reports", "report"))).isEqualTo(TimerState.CANCELLED);
        assertThat(state(others)).isEqualTo(TimerState.SCHEDULED);
    }

    private TimerState state(TimerKey key) {
        return kit.scheduler().find(key).orElseThrow().state();
    }

    @Test
    void aTimerIsNotBothDeclaredAndRemoved() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reportsAt(8).removed("report").build())
                .withMessage("removed must not name a recurring timer that is declared but was report");
    }

    @Test
    void twoQueuesMayRecurByTheSameName() {
        kit.addNode(scheduler -> scheduler
                .extension(minutes("one").build())
                .extension(minutes("two").build()));

        kit.advance(MINUTE);

        assertThat(handled).hasSize(2);
    }

    /** There is no 30th of February. */
    @Test
    void aTimerThatNeverRecursKeepsNoOtherFromBeingStored() {
        KitNode node = deploy(minutes("one").recurring("never", Recurrence.cron("0 0 30 2 *", BERLIN), due -> {}));

        kit.advance(MINUTE);

        assertThat(handled).hasSize(1);
        assertThat(node.scheduler().find(Handlers.keyOf("one", "never"))).isEmpty();
    }

    private Handlers.Builder minutes(String queue) {
        return Handlers.builder()
                .queue(queue)
                .recurring(
                        "minute",
                        Recurrence.every(MINUTE),
                        due -> handled.add(due.event().dueAt()));
    }
}

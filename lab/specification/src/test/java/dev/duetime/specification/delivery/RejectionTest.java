package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.ScheduleOutcome;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.Timers;
import dev.duetime.command.ScheduleTimerHandler;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that a timer whose deadline has passed is not scheduled. */
class RejectionTest {
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration HOUR = Duration.ofHours(1);

    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.listener(listener).type("brief", type -> type.validFor(HOUR)))
            .build();
    private final Instant now = kit.now();

    private static void isRejected(Timers timers, Timer... given) {
        assertThatExceptionOfType(TimerExpiredException.class).isThrownBy(() -> timers.scheduleAll(List.of(given)));
    }

    private Timer expired(String timerId) {
        return Timer.at(timerId, now.minus(HOUR)).expiresAt(now.minus(TICK)).build();
    }

    private static Timer valid(String timerId) {
        return Timer.after(timerId, HOUR).build();
    }

    private void nothingIsStored() {
        assertThat(kit.scheduler().query(TimerQuery.all())).isEmpty();
        assertThat(kit.node(0).calls(StoreCall.SCHEDULE)).isZero();
    }

    @Test
    void aPassedDeadlineIsRefusedBeforeAnythingIsWritten() {
        assertThatExceptionOfType(TimerExpiredException.class)
                .isThrownBy(() -> kit.scheduler()
                        .schedule(Timer.at(TimerKey.of("acme", "order-17"), now.minus(HOUR))
                                .type("reminder")
                                .expiresAt(now.minus(TICK))
                                .payload("secret")
                                .build()))
                .withMessage("timer acme/order-17 of type 'reminder' was not scheduled: "
                        + "its deadline 2029-12-31T23:59:59.999999Z has passed")
                .satisfies(e -> {
                    assertThat(e.key()).isEqualTo(TimerKey.of("acme", "order-17"));
                    assertThat(e.type()).isEqualTo("reminder");
                    assertThat(e.expiresAt()).isEqualTo(now.minus(TICK));
                });
        nothingIsStored();
    }

    @Test
    void aDeadlineThatIsNowIsTakenAndDelivered() {
        assertThat(kit.scheduler()
                        .schedule(Timer.at("a", now.minus(HOUR)).expiresAt(now).build()))
                .isCreated();
        kit.runDue();
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aDeadlineOfTheTypeCountsAsOneOfTheTimer() {
        assertThat(kit.scheduler()
                        .schedule(Timer.at("a", now.minus(HOUR)).type("brief").build()))
                .isCreated();
        isRejected(
                kit.scheduler(),
                Timer.at("b", now.minus(HOUR).minus(TICK)).type("brief").build());
        assertThat(listener.rejected).containsExactly("b " + now.minus(TICK));
    }

    @Test
    void noTimerOfABatchIsWritten() {
        isRejected(kit.scheduler(), valid("a"), expired("b"), valid("c"));
        nothingIsStored();
    }

    @Test
    void aRefusedScheduleKeepsTheCallersTransactionUsable() {
        try (InMemoryTransaction transaction = kit.begin()) {
            Timers joined = kit.scheduler().in(transaction);
            isRejected(joined, valid("a"), expired("b"));
            joined.schedule(valid("c"));
            transaction.commit();
        }
        assertThat(kit.scheduler().query(TimerQuery.all()))
                .extracting(each -> each.key().timerId())
                .containsExactly("c");
    }

    @Test
    void theListenerGetsExactlyTheRefusedTimers() {
        isRejected(kit.scheduler(), expired("a"));
        isRejected(kit.scheduler(), expired("a"));
        kit.scheduler().schedule(valid("b"));
        assertThat(listener.rejected).containsExactly("a " + now.minus(TICK), "a " + now.minus(TICK));
        assertThat(listener.expired).isEmpty();
    }

    @Test
    void theStoredTimerStays() {
        kit.scheduler().schedule(Timer.at("a", now).validFor(HOUR).build());
        kit.scheduler().schedule(valid("b"));
        kit.advance(HOUR.plus(TICK));
        isRejected(kit.scheduler(), Timer.at("a", now).validFor(HOUR).rearm().build());
        assertThat(kit.scheduler().schedule(expired("b")).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
        assertThat(kit.scheduler().find(TimerKey.of("a")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
        assertThat(kit).hasDeliveredInOrder("a", "b");
    }

    @Test
    void aCommandThatComesTooLateIsRefusedToo() {
        ScheduleTimerHandler handler = new ScheduleTimerHandler(kit.scheduler());
        String command = """
            {"tenantId":"acme","timerId":"a","dueAt":"2029-12-31T23:00:00Z","validFor":"PT59M"}\
            """;
        assertThatExceptionOfType(TimerExpiredException.class)
                .isThrownBy(() -> handler.handle(command.getBytes(StandardCharsets.UTF_8)));
        nothingIsStored();
    }
}

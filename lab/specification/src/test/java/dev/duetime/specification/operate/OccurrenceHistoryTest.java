package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.Occurrence.Outcome;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the history of recurring timers. */
class OccurrenceHistoryTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final TimerKey HOURLY = TimerKey.of("hourly");

    private final TimerKit kit = TimerKit.builder()
            .configure(settings -> settings.occurrenceHistory(Duration.ofDays(1))
                    .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(2)))
            .build();

    private void hourly(TimerKit on) {
        on.scheduler()
                .schedule(Timer.recurring(HOURLY, Recurrence.every(HOUR).catchUp(CatchUp.NONE))
                        .build());
    }

    private List<Occurrence> history() {
        return kit.scheduler().admin().views().occurrences(HOURLY);
    }

    @Test
    void eachOccurrenceIsKeptWithItsOutcome() {
        hourly(kit);
        kit.scheduler().schedule(Timer.after("once", HOUR).build());
        kit.advance(HOUR.plusSeconds(2));
        kit.publisher().failPartiallyOn(each -> each.key().equals(HOURLY));
        kit.scheduler().schedule(Timer.after("good", HOUR).build());
        kit.advance(HOUR.plusSeconds(5));
        kit.publisher().recover();

        assertThat(history()).hasSize(2);
        Occurrence dead = history().get(0);
        assertThat(dead.outcome()).isEqualTo(Outcome.DEAD);
        assertThat(dead.attempts()).isEqualTo(2);
        assertThat(dead.error()).contains("IOException");
        Occurrence delivered = history().get(1);
        assertThat(delivered.outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(delivered.dueAt()).isEqualTo(dead.dueAt().minus(HOUR));
        assertThat(delivered.attempts()).isEqualTo(1);
        assertThat(delivered.error()).isNull();
        assertThat(kit.scheduler().admin().views().occurrences(TimerKey.of("once")))
                .isEmpty();
    }

    @Test
    void aMissedOccurrenceIsSkipped() {
        hourly(kit);
        kit.scheduler().admin().pause("default");
        kit.advance(HOUR.plusSeconds(600));
        kit.scheduler().admin().resume("default");
        kit.advance(Duration.ofSeconds(2));

        assertThat(history()).extracting(Occurrence::outcome).containsExactly(Outcome.SKIPPED);
    }

    @Test
    void theHistoryIsKeptForItsTime() {
        hourly(kit);
        kit.advance(Duration.ofHours(30).plusSeconds(30));

        assertThat(history()).hasSize(20);
        kit.store().admin().forgetOccurrences(kit.now().minus(Duration.ofDays(1)), 1_000);
        assertThat(history()).hasSize(20);
        kit.scheduler().cancel(HOURLY);
        kit.scheduler()
                .schedule(Timer.recurring("other", Recurrence.every(HOUR)).build());
        kit.advance(Duration.ofHours(26));
        assertThat(history()).isEmpty();
    }

    @Test
    void aLongHistoryIsForgottenInSeveralTurns() {
        Instant old = kit.now().minus(Duration.ofDays(9));
        kit.store()
                .admin()
                .putOccurrences(IntStream.range(0, 7_500)
                        .mapToObj(i ->
                                new Occurrence(TimerKey.of("old"), old.plusSeconds(i), Outcome.DELIVERED, old, 1, null))
                        .toList());
        hourly(kit);

        kit.advance(HOUR.plusSeconds(2));
        assertThat(kit.store().admin().views().occurrences(TimerKey.of("old"))).isNotEmpty();

        kit.advance(HOUR);
        assertThat(kit.store().admin().views().occurrences(TimerKey.of("old"))).isEmpty();
    }

    @Test
    void withoutTheSettingNothingIsKeptOrWritten() {
        TimerKit without = TimerKit.create();
        hourly(without);
        without.advance(Duration.ofHours(3));

        assertThat(without.scheduler().admin().views().occurrences(HOURLY)).isEmpty();
        assertThat(without.node(0).calls(StoreCall.PUT_OCCURRENCES)).isZero();
    }

    @Test
    void aStoreThatIsAwayDelaysTheHistoryOnly() {
        hourly(kit);
        kit.node(0).failBefore(StoreCall.PUT_OCCURRENCES);
        kit.advance(HOUR.plusSeconds(1));
        assertThat(history()).isEmpty();

        kit.advance(Duration.ofSeconds(6));

        assertThat(history()).hasSize(1);
        assertThat(kit.scheduler().admin().health().isHealthy(Duration.ofSeconds(1)))
                .isTrue();
    }

    @Test
    void aNodeThatClosesWritesWhatIsLeft() {
        hourly(kit);
        kit.publisher().onEach(each -> kit.node(0).failBefore(StoreCall.PUT_OCCURRENCES));
        kit.advance(HOUR);

        kit.node(0).close();

        assertThat(kit.store().admin().views().occurrences(HOURLY)).hasSize(1);
    }

    @Test
    void aTimeOutOfRangeIsRefused() {
        assertThatThrownBy(() -> Scheduler.builder().occurrenceHistory(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("occurrenceHistory must be at least PT1M but was PT0S");
    }
}

package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests of when a poison timer is retried, and how its attempts end. */
class PoisonRetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .listener(listener)
                    .retry(RetryPolicy.exponential(Duration.ofSeconds(10), Duration.ofMinutes(5))
                            .maxAttempts(4)))
            .build();

    private static boolean isBad(Envelope envelope) {
        return envelope.key().timerId().startsWith("bad");
    }

    private StoredTimer stored(String timerId) {
        return kit.scheduler().find(TimerKey.of(timerId)).orElseThrow();
    }

    /** Keeps something getting through, so that the poison is not taken for an outage. */
    private void withHealthyTraffic(Duration duration) {
        Instant end = kit.now().plus(duration);
        while (kit.now().isBefore(end)) {
            kit.scheduler()
                    .schedule(Timer.after("healthy-" + kit.now(), Duration.ZERO).build());
            kit.advance(SECOND);
        }
    }

    @Test
    void countsFromTheFailureAndNotFromAnOldDueTime() {
        kit.publisher().failPartiallyOn(PoisonRetryTest::isBad);
        kit.scheduler()
                .scheduleAll(List.of(
                        Timer.at("bad", kit.now().minus(Duration.ofDays(300))).build(),
                        Timer.after("good", Duration.ZERO).build()));
        kit.runDue();
        assertThat(kit.publisher().calls()).isEqualTo(1);
        assertThat(stored("bad").wakeAt())
                .isBetween(kit.now().plusMillis(7_500), kit.now().plusSeconds(10));
        kit.advance(Duration.ofSeconds(7));
        assertThat(listener.failed).containsExactly("bad");
    }

    @Test
    void doublesTheDelay() {
        kit.publisher().failPartiallyOn(PoisonRetryTest::isBad);
        kit.scheduler().schedule(Timer.after("bad", Duration.ZERO).build());
        withHealthyTraffic(Duration.ofMinutes(3));
        assertThat(listener.retries).hasSize(4);
        for (int i = 1; i < 3; i++) {
            Duration delay = Duration.between(listener.retries.get(i - 1), listener.retries.get(i));
            long full = 10_000L << i;
            assertThat(delay.toMillis()).isBetween(full * 3 / 4, full + 1_000);
        }
    }

    @Test
    void endsAfterTheLastAttemptWithTheFailureKept() {
        kit.publisher().failPartiallyOn(PoisonRetryTest::isBad);
        kit.scheduler().schedule(Timer.after("bad", Duration.ZERO).build());
        withHealthyTraffic(Duration.ofMinutes(3));
        StoredTimer bad = stored("bad");
        assertThat(bad.state()).isEqualTo(TimerState.DEAD);
        assertThat(bad.attempt()).isEqualTo(4);
        StoredTimer.Failure failure = Objects.requireNonNull(bad.failure());
        assertThat(failure.firstAt()).isEqualTo(TestClock.START);
        assertThat(failure.error()).contains("failPartiallyOn");
        assertThat(failure.lastAt()).isEqualTo(bad.settledAt()).isAfter(failure.firstAt());
        kit.publisher().recover();
        kit.advance(Duration.ofDays(1));
        assertThat(kit).hasNotDelivered("bad");
    }

    @Test
    void aDeadTimerCanBeRearmed() {
        endsAfterTheLastAttemptWithTheFailureKept();
        kit.scheduler().schedule(Timer.after("bad", SECOND).rearm().build());
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("bad").lastOf("bad").hasAttempt(1);
    }

    @Test
    void aFailedTimerLetsOthersOfItsTimePass() {
        kit.publisher().failPartiallyOn(PoisonRetryTest::isBad);
        kit.scheduler().schedule(Timer.after("bad", Duration.ZERO).build());
        withHealthyTraffic(Duration.ofMinutes(1));
        assertThat(kit.delivered())
                .hasSize(60)
                .allSatisfy(each -> assertThat(each.event().lateness()).isLessThan(Duration.ofMillis(1_001)));
    }
}

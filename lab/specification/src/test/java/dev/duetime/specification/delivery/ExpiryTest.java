package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of deadlines: a timer has expired iff now is after {@code expiresAt}. */
class ExpiryTest {
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = kit(Duration.ofDays(7));

    private TimerKit kit(Duration retention) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler
                        .listener(listener)
                        .retention(retention)
                        .retry(RetryPolicy.exponential(Duration.ofSeconds(10), Duration.ofSeconds(10))))
                .build();
    }

    private static void schedule(TimerKit kit, Instant dueAt, Instant expiresAt) {
        kit.scheduler().schedule(Timer.at("a", dueAt).expiresAt(expiresAt).build());
    }

    private StoredTimer stored() {
        return kit.scheduler().find(TimerKey.of("a")).orElseThrow();
    }

    /** Keeps the node from delivering before the given time. */
    private void deliverAt(Instant instant) {
        deliverAt(kit, instant);
    }

    private static void deliverAt(TimerKit kit, Instant instant) {
        kit.node(0).pause();
        kit.advanceTo(instant);
        kit.node(0).resume();
        kit.runDue();
    }

    /** Lets a timer expire. */
    private static void miss(TimerKit kit) {
        schedule(kit, kit.now(), kit.now().plusSeconds(5));
        deliverAt(kit, kit.now().plusSeconds(10));
    }

    @Test
    void aTimerIsDeliveredAtItsDeadline() {
        Instant expiresAt = kit.now().plusSeconds(60);
        schedule(kit, kit.now().plusSeconds(1), expiresAt);
        deliverAt(expiresAt);
        assertThat(kit).lastOf("a").wasReachedAt(expiresAt);
        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
        assertThat(listener.expired).isEmpty();
    }

    @Test
    void aTimerIsExpiredAMicrosecondLater() {
        Instant expiresAt = kit.now().plusSeconds(60);
        schedule(kit, kit.now().plusSeconds(1), expiresAt);
        deliverAt(expiresAt.plus(TICK));
        assertThat(kit).hasDeliveredNothing();
        assertThat(stored().state()).isEqualTo(TimerState.EXPIRED);
        assertThat(stored().settledAt()).isEqualTo(expiresAt.plus(TICK));
        assertThat(stored().attempt()).isZero();
        assertThat(stored().failure()).isNull();
        assertThat(listener.expired).containsExactly("a");
    }

    @Test
    void aTimerThatExpiresWhenItIsDueIsDeliveredOnTime() {
        Instant dueAt = kit.now().plusSeconds(1);
        schedule(kit, dueAt, dueAt);
        kit.advance(SECOND);
        assertThat(kit).lastOf("a").wasReachedAt(dueAt);
    }

    @Test
    void aValidityCountsFromTheDueTimeToTheMicrosecond() {
        Instant dueAt = kit.now().plusSeconds(1);
        for (String timerId : List.of("a", "late")) {
            kit.scheduler()
                    .schedule(Timer.at(timerId, dueAt)
                            .validFor(timerId.equals("a") ? SECOND : SECOND.minus(TICK))
                            .build());
        }
        deliverAt(dueAt.plus(SECOND));
        assertThat(kit).hasDeliveredInOrder("a");
        assertThat(listener.expired).containsExactly("late");
    }

    @Test
    void theListenerGetsReasonDeadlineAndContent() {
        Instant expiresAt = kit.now().plusSeconds(60);
        schedule(kit, kit.now().plusSeconds(1), expiresAt);
        deliverAt(expiresAt.plus(TICK));
        assertThat(listener.reasons).containsExactly(ExpiryReason.DELIVERY_TOO_LATE);
        assertThat(listener.expiries).singleElement().satisfies(timer -> {
            assertThat(timer.content().expiresAt()).isEqualTo(expiresAt);
            assertThat(timer.failure()).isNull();
        });
        assertThat(listener.failed).isEmpty();
    }

    @Test
    void thePublisherIsNotCalledForExpiredTimersAlone() {
        miss(kit);
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit.publisher().calls()).isZero();
    }

    @Test
    void anExpiredTimerDelaysNoOther() {
        miss(kit);
        kit.scheduler().schedule(Timer.after("b", Duration.ZERO).build());
        kit.runDue();
        assertThat(kit).hasDeliveredInOrder("b");
    }

    @Test
    void aRetryThatWouldComeAfterTheDeadlineIsNotMade() {
        kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("a"));
        kit.scheduler().schedule(Timer.after("b", SECOND).build());
        schedule(kit, kit.now().plusSeconds(1), kit.now().plusSeconds(6));
        kit.advance(SECOND);
        assertThat(stored().state()).isEqualTo(TimerState.EXPIRED);
        assertThat(stored().attempt()).isEqualTo(1);
        assertThat(stored().settledAt()).isEqualTo(kit.now());
        Failure failure = Objects.requireNonNull(stored().failure());
        assertThat(failure.error()).contains("IOException", "failPartiallyOn");
        assertThat(failure.lastAt()).isEqualTo(kit.now());
        assertThat(listener.expired).containsExactly("a");
        assertThat(listener.reasons).containsExactly(ExpiryReason.RETRY_TOO_LATE);
        assertThat(listener.expiries.get(0).failure()).isEqualTo(failure);
        assertThat(listener.failed).containsExactly("a");
        assertThat(listener.retries).containsOnlyNulls();
        kit.publisher().recover();
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredInOrder("b");
    }

    @Test
    void aRetryThatComesBeforeTheDeadlineIsMade() {
        kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("a") && envelope.attempt() == 1);
        kit.scheduler().schedule(Timer.after("b", SECOND).build());
        schedule(kit, kit.now().plusSeconds(1), kit.now().plusSeconds(12));
        kit.advance(Duration.ofSeconds(12));
        assertThat(kit).lastOf("a").hasAttempt(2);
        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
    }

    @ParameterizedTest
    @CsvSource({"0, SCHEDULED", "1, EXPIRED"})
    void aRetryIsMadeUpToTheDeadline(int ticksTooLate, TimerState state) {
        TimerKit fixed = TimerKit.builder()
                .configure(scheduler -> scheduler.retry(RetryPolicy.fixed(Duration.ofSeconds(10))))
                .build();
        fixed.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("a") && envelope.attempt() == 1);
        Instant dueAt = fixed.now().plusSeconds(1);
        schedule(fixed, dueAt, dueAt.plusSeconds(10).minus(TICK.multipliedBy(ticksTooLate)));
        fixed.scheduler().schedule(Timer.at("b", dueAt).build());
        fixed.advanceTo(dueAt);
        assertThat(fixed.store().find(TimerKey.of("a")).orElseThrow().state()).isEqualTo(state);
        fixed.advance(Duration.ofSeconds(10));
        assertThat(fixed.delivered("a")).hasSize(1 - ticksTooLate);
    }

    @Test
    void aTimerWithoutAttemptsIsDeadUnlessItsDeadlineHasPassed() {
        TimerKit once = TimerKit.builder()
                .configure(scheduler -> scheduler.retry(
                        RetryPolicy.fixed(Duration.ofSeconds(10)).maxAttempts(1)))
                .build();
        once.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("a"));
        schedule(once, once.now().plusSeconds(1), once.now().plusSeconds(5));
        once.scheduler().schedule(Timer.after("b", SECOND).build());
        once.advance(SECOND);
        assertThat(once.store().find(TimerKey.of("a")).orElseThrow().state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void afterAnOutageOnlyValidTimersAreDelivered() {
        kit.publisher().failAlways();
        schedule(kit, kit.now().plusSeconds(1), kit.now().plusSeconds(600));
        kit.scheduler()
                .schedule(Timer.after("b", SECOND)
                        .expiresAt(kit.now().plusSeconds(3_600))
                        .build());
        kit.advance(Duration.ofMinutes(15));
        assertThat(stored().state()).isEqualTo(TimerState.EXPIRED);
        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(2));
        assertThat(kit).hasDeliveredInOrder("b");
    }

    @Test
    void anExpiredTimerIsDeletedIfTheQueueKeepsNothing() {
        TimerKit forgetful = kit(Duration.ZERO);
        miss(forgetful);
        assertThat(listener.expired).containsExactly("a");
        assertThat(forgetful.store().find(TimerKey.of("a"))).isEmpty();
    }

    @Test
    void anExpiredTimerIsScheduledAgainOnlyIfRearmed() {
        miss(kit);
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isIgnored(TimerState.EXPIRED);
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).rearm().build()))
                .isCreated();
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("a");
    }
}

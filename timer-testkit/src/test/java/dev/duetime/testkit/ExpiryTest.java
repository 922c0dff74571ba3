package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Specifies deadlines: a timer has expired iff now is after {@code expiresAt}. */
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
        kit.node(0).pause();
        kit.advanceTo(instant);
        kit.node(0).resume();
        kit.runDue();
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
    void aTimerScheduledAfterItsDeadlineExpiresAtOnce() {
        schedule(kit, kit.now().minusSeconds(10), kit.now().minusSeconds(5));
        kit.runDue();
        assertThat(kit).hasDeliveredNothing();
        assertThat(stored().state()).isEqualTo(TimerState.EXPIRED);
    }

    @Test
    void thePublisherIsNotCalledForExpiredTimersAlone() {
        schedule(kit, kit.now().minusSeconds(10), kit.now().minusSeconds(5));
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit.publisher().calls()).isZero();
    }

    @Test
    void anExpiredTimerHoldsUpNoOther() {
        schedule(kit, kit.now().minusSeconds(10), kit.now().minusSeconds(5));
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
        assertThat(Objects.requireNonNull(stored().failure()).lastAt()).isEqualTo(kit.now());
        assertThat(listener.expired).containsExactly("a");
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

    @Test
    void whatIsStillValidAfterAnOutageIsDeliveredAndTheRestExpires() {
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
        schedule(forgetful, forgetful.now().minusSeconds(10), forgetful.now().minusSeconds(5));
        forgetful.runDue();
        assertThat(listener.expired).containsExactly("a");
        assertThat(forgetful.store().find(TimerKey.of("a"))).isEmpty();
    }

    @Test
    void anExpiredTimerIsScheduledAgainOnlyIfRearmed() {
        schedule(kit, kit.now().minusSeconds(10), kit.now().minusSeconds(5));
        kit.runDue();
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isIgnored(TimerState.EXPIRED);
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).rearm().build()))
                .isCreated();
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("a");
    }
}

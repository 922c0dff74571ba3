package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of an error in a timer that is never retried. */
class NeverRetriedErrorTest extends DyingTimers {
    private final RetryPolicy named = RETRY.noRetryOn(IllegalArgumentException.class);

    private void refuseBad(List<Envelope> batch) {
        if (batch.stream().anyMatch(NeverRetriedErrorTest::isBad)) {
            throw new IllegalArgumentException("no such address");
        }
    }

    private static boolean isBad(Envelope envelope) {
        return envelope.key().timerId().startsWith("bad");
    }

    @Test
    void endsATimerThatFailsAloneAtOnce() {
        TimerKit kit = kit(named, this::refuseBad);
        kit.scheduler().schedule(Timer.after("bad", SECOND).payload(17).build());
        kit.advance(SECOND);
        StoredTimer dead = stored(kit, "bad");
        assertThat(dead.state()).isEqualTo(TimerState.DEAD);
        assertThat(dead.attempt()).isEqualTo(1);
        assertThat(dead.settledAt()).isEqualTo(kit.now());
        assertThat(dead.content().payload().as(Integer.class)).isEqualTo(17);
        Failure failure = Objects.requireNonNull(dead.failure());
        assertThat(failure.error()).isEqualTo("java.lang.IllegalArgumentException: no such address");
        assertThat(failure.firstAt()).isEqualTo(failure.lastAt()).isEqualTo(kit.now());
        assertThat(calls).isEqualTo(1);
        assertThat(listener.failed).containsExactly("bad");
        assertThat(listener.retries).containsOnlyNulls();
        kit.advance(Duration.ofDays(1));
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void endsATimerAsDeadEvenAtItsDeadline() {
        TimerKit kit = kit(named, batch -> {
            throw new IllegalArgumentException("no such address");
        });
        kit.scheduler().schedule(Timer.after("bad", SECOND).validFor(SECOND).build());
        kit.advance(SECOND);
        assertThat(stored(kit, "bad").state()).isEqualTo(TimerState.DEAD);
        assertThat(listener.expired).isEmpty();
    }

    @Test
    void endsAWholeBacklogOfSuchTimersInOneInstant() {
        TimerKit kit = kit(named, this::refuseBad);
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 2_000)
                        .mapToObj(i -> Timer.after("bad-" + i, SECOND).build())
                        .toList());
        kit.scheduler().schedule(Timer.after("good", Duration.ofMillis(1_001)).build());
        kit.advance(Duration.ofMillis(1_001));
        assertThat(dead(kit)).hasSize(2_000);
        assertThat(published).containsExactly("good");
    }

    @Test
    void isFoundAmongOthersDuringAnOutageThatSpendsNothing() {
        TimerKit kit = kit(named, batch -> {
            refuseBad(batch);
            throw new IOException("unavailable");
        });
        kit.scheduler().schedule(Timer.after("bad", Duration.ZERO).build());
        schedule(kit, 100, Duration.ZERO);
        kit.advance(Duration.ofMinutes(10));
        assertThat(dead(kit)).extracting(each -> each.key().timerId()).containsExactly("bad");
        assertThat(kit.scheduler()
                        .query(TimerQuery.all().state(TimerState.SCHEDULED).limit(200)))
                .hasSize(100)
                .allSatisfy(each -> assertThat(each.attempt()).isZero());
    }

    @Test
    void doesNotCountForABatchAsAWhole() {
        TimerKit kit = kit(named, batch -> {
            if (batch.size() > 1) {
                throw new IllegalArgumentException("batches are not supported");
            }
        });
        schedule(kit, 100, Duration.ZERO);
        kit.advance(SECOND);
        assertThat(dead(kit)).isEmpty();
        assertThat(published).hasSize(100);
    }
}

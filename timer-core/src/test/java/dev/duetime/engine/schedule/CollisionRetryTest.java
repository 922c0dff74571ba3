package dev.duetime.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.internal.RetryTurns;
import dev.duetime.store.CollisionException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CollisionRetryTest {
    /** Each try takes a second, as on MariaDB and MySQL, and each look at the clock a little. */
    private static final long TRY_NANOS = Duration.ofSeconds(1).toNanos();

    private final CollisionException collision = new CollisionException("merge", "a", new IOException("held"));

    private long nanos;

    private final Clock clock = new Clock() {
        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanoTime() {
            return nanos += 1_000;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException();
        }
    };

    private final RetryTurns turns = new RetryTurns(1, () -> nanos);

    private void tryOnce(CollisionRetry retry) {
        nanos += TRY_NANOS;
        retry.after(collision);
    }

    @Test
    void retriesEndAfterTenSecondsHoweverLongEachTryTakes() {
        try (CollisionRetry retry = new CollisionRetry(clock, turns)) {
            assertThatThrownBy(() -> {
                        while (true) {
                            tryOnce(retry);
                        }
                    })
                    .isSameAs(collision);
        }
        assertThat(Duration.ofNanos(nanos)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
    }

    @Test
    void anInterruptEndsTheRetriesAndTheTurnIsGivenBack() {
        try (CollisionRetry retry = new CollisionRetry(clock, turns)) {
            tryOnce(retry);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> tryOnce(retry)).isSameAs(collision);
            assertThat(Thread.interrupted()).isTrue();
        }
        try (CollisionRetry next = new CollisionRetry(clock, turns)) {
            tryOnce(next);
        }
    }

    @Test
    void aClockThatStandsStillAllowsTenAttempts() {
        Clock still = new Clock() {
            @Override
            public Instant now() {
                return Instant.EPOCH;
            }

            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public Loop start(String name, Pass pass) {
                throw new UnsupportedOperationException();
            }
        };
        int attempts = 1;
        try (CollisionRetry retry = new CollisionRetry(still, turns)) {
            while (attempts < 100) {
                retry.after(collision);
                attempts++;
            }
        } catch (CollisionException e) {
            assertThat(attempts).isEqualTo(10);
        }
    }
}

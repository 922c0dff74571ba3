package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of closing a scheduler on several databases. */
class HostSetCloseTest {
    private final HangingLoops clock = new HangingLoops();

    private void close() {
        Scheduler scheduler = Scheduler.builder()
                .store(new HostsKit().hosts("a", "b", "c"))
                .clock(clock)
                .publisher(batch -> {})
                .closeTimeout(Duration.ofSeconds(10))
                .build();
        scheduler.start();
        scheduler.close();
    }

    @Test
    void hangingLoopsOfAllHostsShareOneTimeLimit() {
        close();

        assertThat(Duration.ofNanos(clock.nanos)).isEqualTo(Duration.ofSeconds(11));
    }

    @Test
    void aLoopThatFailsToCloseDoesNotKeepTheOthersOpen() {
        clock.failure = new IllegalStateException("cannot be closed");
        close();

        assertThat(clock.closed).hasSize(clock.started);
    }

    @Test
    void aLoopWhoseCloseThrowsAnErrorDoesNotKeepTheOthersOpen() {
        OutOfMemoryError failure = new OutOfMemoryError("by a test");
        clock.failure = failure;

        assertThatThrownBy(this::close).isSameAs(failure);
        assertThat(clock.closed).hasSize(clock.started);
    }

    @Test
    void theHistoryOfRecurringTimersIsWrittenFirst() {
        HostsKit hosts = new HostsKit();
        TimerKit kit = HostsKit.kit(hosts.hosts("a"), 1, scheduler -> scheduler.occurrenceHistory(Duration.ofDays(1)));
        TimerKey key = TimerKey.of("hourly");
        kit.scheduler()
                .schedule(Timer.recurring(key, Recurrence.every(Duration.ofHours(1)))
                        .build());
        hosts.fail("a", StoreCall.PUT_OCCURRENCES);
        kit.advance(Duration.ofHours(1));
        kit.node(0).close();

        assertThat(hosts.database("a").admin().views().occurrences(key)).hasSize(1);
    }

    /** Loops that never end. Waiting for one takes all the given time. */
    private static final class HangingLoops implements Clock {
        private final Set<String> closed = new HashSet<>();
        private long nanos;
        private @Nullable Throwable failure;
        private int started;

        @Override
        public Instant now() {
            return TestClock.START.plusNanos(nanos);
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Loop start(String name, Pass pass) {
            String own = name + started++;
            return new Loop() {
                @Override
                public void wakeAt(Instant instant) {}

                @Override
                public boolean close(Duration limit) {
                    nanos += limit.toNanos();
                    closed.add(own);
                    if (failure instanceof Error error) {
                        throw error;
                    }
                    if (failure instanceof RuntimeException exception) {
                        throw exception;
                    }
                    return false;
                }
            };
        }
    }
}

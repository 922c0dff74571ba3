package dev.duetime.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopWatchTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HandClock time = new HandClock();
    private final LoopWatch watch = new LoopWatch(time);
    private boolean broken;

    /** A clock that is set by hand, and whose loops are run by hand. */
    private static final class HandClock implements Clock {
        private Duration past = Duration.ZERO;
        private final List<Pass> passes = new ArrayList<>();

        @Override
        public Instant now() {
            return Instant.EPOCH.plus(past);
        }

        @Override
        public long nanoTime() {
            return past.toNanos();
        }

        @Override
        public Loop start(String name, Pass pass) {
            passes.add(pass);
            return new Loop() {
                @Override
                public void wakeAt(Instant instant) {}

                @Override
                public boolean close(Duration limit) {
                    return true;
                }
            };
        }
    }

    private Instant turn() {
        if (broken) {
            throw new NoClassDefFoundError("Could not initialize class of.a.Driver");
        }
        return time.now().plusSeconds(1);
    }

    private void runFor(Duration duration) throws InterruptedException {
        for (Duration end = time.past.plus(duration);
                time.past.compareTo(end) < 0;
                time.past = time.past.plusSeconds(1)) {
            if (broken) {
                assertThatThrownBy(time.passes.get(0)::run).isInstanceOf(NoClassDefFoundError.class);
            } else {
                time.passes.get(0).run();
            }
        }
    }

    /** As if the initialization of a class had failed, which the JVM does not repeat. */
    @Test
    void aLoopThatFailsInEachTurnIsStuckAndLate() throws InterruptedException {
        watch.start("loop", this::turn);
        runFor(Duration.ofMinutes(1));
        Instant begin = time.now();
        broken = true;

        runFor(Duration.ofSeconds(30));
        assertThat(watch.isLate(LIMIT)).isFalse();
        assertThat(watch.stuckSince()).isEqualTo(begin);
        runFor(Duration.ofSeconds(2));

        assertThat(watch.isLate(LIMIT)).isTrue();
        assertThat(watch.stuckSince()).isEqualTo(begin);
    }

    @Test
    void aLoopThatSucceedsAgainIsNeitherStuckNorLate() throws InterruptedException {
        watch.start("loop", this::turn);
        broken = true;
        runFor(Duration.ofMinutes(1));
        broken = false;

        runFor(Duration.ofSeconds(1));

        assertThat(watch.isLate(LIMIT)).isFalse();
        assertThat(watch.stuckSince()).isNull();
    }

    @Test
    void aTurnThatIsHeldBackRunsOnceItMayBegin() throws InterruptedException {
        broken = true;
        watch.hold();
        watch.start("loop", this::turn);
        assertThat(time.passes.get(0).run()).isEqualTo(time.now().plusMillis(100));

        watch.begin();
        assertThatThrownBy(() -> time.passes.get(0).run()).isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void aTurnOfAStartThatWasRepeatedNeverRuns() throws InterruptedException {
        broken = true;
        watch.hold();
        watch.start("loop", this::turn).close(Duration.ZERO);
        watch.hold();
        watch.begin();

        assertThat(time.passes.get(0).run()).isEqualTo(time.now().plusMillis(100));
    }
}

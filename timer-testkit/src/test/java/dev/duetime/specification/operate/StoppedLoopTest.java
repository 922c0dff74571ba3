package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.admin.Health;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a loop that ends although nobody closed it. No known cause can end one. */
class StoppedLoopTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestClock time = new TestClock();
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(time);
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    /** A clock that loses loops, as if their threads had ended. */
    private final class LosingClock implements Clock {
        private final TestClock.Node clock;
        private final Set<String> lost = new HashSet<>();
        private final List<String> started = new ArrayList<>();

        LosingClock(String node) {
            clock = time.node(node);
        }

        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            started.add(name);
            return clock.start(name, () -> lost.contains(name) ? Instant.MAX : pass.run());
        }
    }

    private Scheduler node(String name, Clock clock) {
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .nodeId(name)
                .publisher(publisher)
                .build();
        scheduler.start();
        return scheduler;
    }

    @ParameterizedTest
    @ValueSource(strings = {"duetime-default", "duetime-shards", "duetime-housekeeping"})
    void aNodeWithAStoppedLoopIsNotHealthy(String name) {
        LosingClock clock = new LosingClock("a");
        try (Scheduler scheduler = node("a", clock)) {
            time.advance(MINUTE);
            assertThat(clock.started).contains(name);
            assertThat(scheduler.admin().health().isHealthy()).isTrue();

            clock.lost.add(name);
            time.advance(MINUTE.multipliedBy(3));

            Health health = scheduler.admin().health();
            assertThat(health.isHealthy()).isFalse();
            assertThat(health.stuckSince()).isNotNull().isBefore(time.now().minus(MINUTE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"duetime-default", "duetime-shards"})
    void timersOfAStoppedLoopAreDeliveredByOtherNodes(String name) {
        LosingClock clock = new LosingClock("a");
        try (Scheduler one = node("a", clock);
                Scheduler other = node("b", time.node("b"))) {
            time.advance(MINUTE);
            clock.lost.add(name);
            for (int i = 0; i < 20; i++) {
                other.schedule(Timer.after("t-" + i, MINUTE.multipliedBy(2)).build());
            }

            time.advance(MINUTE.multipliedBy(3));

            for (int i = 0; i < 20; i++) {
                assertThat(store.find(TimerKey.of("t-" + i)).orElseThrow().state())
                        .isEqualTo(TimerState.REACHED);
            }
            assertThat(one.admin().health().queues().get(0).ownedShards()).isZero();
        }
    }
}

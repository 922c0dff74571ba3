package dev.duetime.specification.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.PassThroughLeases;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a database whose clock is set back and forth while nodes deliver. */
class StoreClockStepsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestClock clock = new TestClock();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final InMemoryScheduleStore intact = new InMemoryScheduleStore(clock);
    private Duration step = Duration.ZERO;
    private int scheduled;

    private final ScheduleStore store = new PassThroughStore(intact) {
        @Override
        public ShardLeases leases() {
            return new PassThroughLeases(intact.leases()) {
                @Override
                public Instant now() {
                    return super.now().plus(step);
                }
            };
        }
    };

    private Scheduler start(String name) {
        return start(name, clock.node(name));
    }

    private Scheduler start(String name, TestClock.Node carrier) {
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .carrier(carrier)
                .nodeId(name)
                .publisher(publisher)
                .build();
        scheduler.start();
        clock.runDue();
        return scheduler;
    }

    /** Schedules timers that are due soon by the database's clock, and lets time pass. */
    private void deliverFor(List<Scheduler> nodes, Duration time) {
        for (long seconds = 0; seconds < time.toSeconds(); seconds += 5) {
            for (Scheduler node : nodes) {
                Instant dueAt = store.leases().now().plusSeconds(1);
                node.schedule(Timer.at("t-" + scheduled++, dueAt).build());
            }
            clock.advance(SECOND.multipliedBy(5));
        }
    }

    /** A node reads the time also when it takes over a lease, and must not then leave out the next reading. */
    @Test
    void aNodeLearnsWithinAMinuteThatTheClockWasSetBack() {
        Scheduler node = start("a");
        TestClock.Node gone = clock.node("b");
        start("b", gone);
        clock.advance(Duration.ofSeconds(30));
        gone.kill();
        clock.advance(Duration.ofSeconds(20));

        node.schedule(Timer.after("a", MINUTE.plusMillis(500)).build());

        step = Duration.ofSeconds(-10);
        clock.advance(MINUTE.plus(SECOND));
        assertThat(publisher.delivered()).isEmpty();
        clock.advance(SECOND.multipliedBy(10));
        assertThat(publisher.delivered()).hasSize(1);
    }

    @Test
    void allTimersAreDeliveredAndNoneWithoutAStepTwice() {
        List<Scheduler> nodes = List.of(start("a"), start("b"));
        deliverFor(nodes, MINUTE);
        for (int minutes : new int[] {-30, 30, -59, 59, -120, 120}) {
            step = step.plusMinutes(minutes);
            deliverFor(nodes, MINUTE.multipliedBy(3));
        }

        step = Duration.ZERO;
        clock.advance(MINUTE.multipliedBy(2));
        int before = publisher.delivered().size();
        int first = scheduled;
        deliverFor(nodes, MINUTE.multipliedBy(5));
        clock.advance(MINUTE);

        assertThat(publisher.delivered()).hasSize(before + scheduled - first);
        assertThat(IntStream.range(0, scheduled))
                .allSatisfy(i -> assertThat(
                                intact.find(TimerKey.of("t-" + i)).orElseThrow().state())
                        .isEqualTo(TimerState.REACHED));
        assertThat(publisher.delivered().stream().map(Envelope::id).distinct()).hasSize(scheduled);
        assertThat(nodes).allMatch(node -> node.admin().health().isHealthy());
    }
}

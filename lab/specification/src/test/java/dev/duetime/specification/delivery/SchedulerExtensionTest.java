package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.QueueSample;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests of extensions, which build a pattern on a scheduler. */
class SchedulerExtensionTest {
    private static final Instant START = TestClock.START;

    private final List<String> calls = new ArrayList<>();

    private record Pattern(String name, Consumer<Scheduler> maintenance) implements SchedulerExtension {
        @Override
        public void configure(SchedulerBuilder builder) {
            builder.queue(name, queue -> queue.publisher(batch -> {}));
        }

        @Override
        public Instant maintain(Scheduler scheduler) {
            maintenance.accept(scheduler);
            return Instant.MIN;
        }
    }

    private static TimerKit.Builder kit(SchedulerExtension... patterns) {
        return TimerKit.builder().configure(scheduler -> List.of(patterns).forEach(scheduler::extension));
    }

    @Test
    void anExtensionIsMaintainedAtTheStartAndOnceAMinute() {
        Pattern pattern = new Pattern("a", scheduler -> calls.add("maintains"));
        try (TimerKit kit = kit(pattern).notStarted().build()) {
            kit.advance(Duration.ofMinutes(5));
            assertThat(calls).isEmpty();
            kit.node(0).start();
            kit.runDue();
            assertThat(calls).hasSize(1);
            kit.advance(Duration.ofMinutes(3));
            assertThat(calls).hasSize(4);
            kit.node(0).close();
            kit.advance(Duration.ofMinutes(3));
            assertThat(calls).hasSize(4);
        }
    }

    @Test
    void theQueueOfAnExtensionIsSetUp() {
        try (TimerKit kit = kit(new Pattern("own", scheduler -> {})).build()) {
            kit.scheduler().schedule(Timer.at("a", START).queue("own").build());
            kit.runDue();
            assertThat(kit.delivered()).isEmpty();
            assertThat(kit.scheduler().admin().queues())
                    .extracting(each -> each.queue())
                    .contains("own");
        }
    }

    @Test
    void anExtensionThatFailsStopsNeitherTheOthersNorItself() {
        Pattern failing = new Pattern("failing", scheduler -> {
            calls.add("fails");
            throw new IllegalStateException("broken");
        });
        Pattern working = new Pattern("working", scheduler -> calls.add("works"));
        try (TimerKit kit = kit(failing, working).build()) {
            kit.advance(Duration.ofMinutes(1));
            assertThat(calls).containsExactly("fails", "works", "fails", "works");
        }
    }

    @Test
    void anExtensionWhoseStoreCallsAlwaysFailStopsNothingElse() {
        Pattern failing = new Pattern("failing", scheduler -> {
            throw new StoreException("count", "item", new IllegalStateException("broken"));
        });
        Pattern working = new Pattern("working", scheduler -> calls.add("works"));
        List<QueueSample> samples = new ArrayList<>();
        NodeListener listener = new NodeListener() {
            @Override
            public void sampled(QueueSample sample) {
                samples.add(sample);
            }
        };
        TimerKit.Builder builder = kit(failing, working)
                .configure(
                        scheduler -> scheduler.retention(Duration.ofMinutes(1)).listener(listener));
        try (TimerKit kit = builder.build()) {
            kit.scheduler().schedule(Timer.at("a", START).build());
            kit.advance(Duration.ofMinutes(5));

            assertThat(calls).isNotEmpty();
            assertThat(samples).isNotEmpty();
            assertThat(kit.delivered("a")).hasSize(1);
            assertThat(kit.store().find(TimerKey.of("a"))).isEmpty();
        }
    }

    @Test
    void refusedOutcomesAreRetried() {
        Pattern pattern = new Pattern("a", scheduler -> {
            scheduler.schedule(Timer.at("a", START.plusSeconds(300)).build());
            calls.add("scheduled");
        });
        try (TimerKit kit = kit(pattern).notStarted().build()) {
            kit.node(0).storeDown();
            kit.node(0).start();
            kit.advance(Duration.ofSeconds(5));
            assertThat(calls).isEmpty();
            kit.node(0).storeUp();
            kit.advance(Duration.ofSeconds(60));
            assertThat(calls).isNotEmpty();
        }
    }
}

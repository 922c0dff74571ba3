package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.listener.NodeListener;
import dev.duetime.listener.QueueSample;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that a sample is exact for small queues and bounded in cost for large ones. */
class SampleTest {

    @ParameterizedTest
    @CsvSource({
        // timers in each of 4 shards, the reported number, the highest number that is counted
        "0 0 0 0, 0, 0",
        "1 2 3 4, 10, 10",
        "2499 2499 2499 2499, 9996, 9996",
        "2500 2500 2500 2500, 10000, 12500",
        "1000000 1000000 1000000 1000000, 400000, 110000",
        "90000 90000 90000 90000, 360000, 100000",
        "90000 0 0 0, 90000, 92500",
        "90000 0 90000 7, 180007, 95007"
    })
    void pendingIsCountedUpToABound(String shards, long told, long counted) {
        List<QueueSample> samples = new ArrayList<>();
        Counting store = new Counting(
                new InMemoryScheduleStore(new StoppedClock()),
                List.of(shards.split(" ")).stream().map(Integer::valueOf).toList());
        TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.listener(new NodeListener() {
                    @Override
                    public void sampled(QueueSample sample) {
                        samples.add(sample);
                    }
                }))
                .build();
        store.counted = 0;
        kit.advance(Duration.ofMinutes(1));

        assertThat(samples).hasSize(2);
        assertThat(samples.get(1).pending()).isEqualTo(told);
        assertThat(store.counted).isLessThanOrEqualTo(counted);
    }

    /** A store that pretends that its shards hold a given number of timers. */
    private static final class Counting extends PassThroughStore {
        private final List<Integer> held;
        private long counted;

        Counting(ScheduleStore intact, List<Integer> held) {
            super(intact);
            this.held = held;
        }

        @Override
        public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
            Map<Integer, Integer> counts = new LinkedHashMap<>();
            for (int shard : shards) {
                counts.put(shard, Math.min(held.get(shard), atMost));
                counted += Math.min(held.get(shard), atMost);
            }
            return counts;
        }
    }
}

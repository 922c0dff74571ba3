package dev.duetime.specification.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that timers of one parallel key keep their order in an outage, whenever it ends. */
class OutageOrderTest {
    private static final int TIMERS = 60;
    private static final int KEYS = 2;

    @ParameterizedTest
    @ValueSource(longs = {1_000, 0})
    void timersOfAParallelKeyAreNotOvertakenWhenTheOutageEnds(long microsBetween) {
        for (int failures = 1; failures <= 40; failures++) {
            List<Envelope> delivered = deliveredAfter(failures, microsBetween);

            assertThat(delivered).hasSize(TIMERS);
            for (int i = 0; i < KEYS; i++) {
                String key = "key-" + i;
                // A timer that failed by itself may be overtaken.
                assertThat(delivered.stream()
                                .filter(each -> key.equals(each.parallelKey()) && each.attempt() == 1)
                                .map(each -> each.event().dueAt()))
                        .as("%s after %d failures", key, failures)
                        .isSorted();
            }
        }
    }

    private static List<Envelope> deliveredAfter(int failures, long microsBetween) {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.batchSize(5))
                .build();
        // Half of them are due before the poll, at one instant or one after the other.
        kit.scheduler()
                .scheduleAll(IntStream.range(0, TIMERS)
                        .mapToObj(i -> Timer.after("t-" + i, Duration.ofNanos(1_000 * microsBetween * (i / KEYS)))
                                .parallelKey("key-" + i % KEYS)
                                .build())
                        .toList());
        kit.publisher().failNext(failures);
        kit.advance(Duration.ofMinutes(10));
        return kit.delivered();
    }
}

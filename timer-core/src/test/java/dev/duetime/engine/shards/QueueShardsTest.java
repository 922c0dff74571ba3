package dev.duetime.engine.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.SystemClock;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of what a node does that holds only a part of a queue which is not divided. */
class QueueShardsTest {
    private static final int SHARDS = 4;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final QueueShards undivided = queue(true);

    private static QueueShards queue(boolean undivided) {
        return new QueueShards("work", SHARDS, undivided, 0, 0, new SystemClock());
    }

    private static Set<Integer> first(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toSet());
    }

    @Test
    void nothingIsReadBeforeAllShardsAreThere() {
        undivided.acquired(first(SHARDS - 1));
        assertThat(undivided.readable().shards()).isEmpty();

        undivided.acquired(Set.of(SHARDS - 1));
        assertThat(undivided.readable().shards()).hasSize(SHARDS);
    }

    @Test
    void aPartIsLeftToOthersAfterAMinuteAsLongAsTheyHoldAny() {
        assertThat(undivided.yields(3, true, 0)).isFalse();
        assertThat(undivided.yields(3, true, MINUTE)).isFalse();
        assertThat(undivided.yields(3, true, MINUTE + 1)).isTrue();
        assertThat(undivided.yields(0, true, 2 * MINUTE)).isTrue();
        assertThat(undivided.yields(0, false, 3 * MINUTE)).isFalse();
    }

    @Test
    void theMinuteBeginsAnewOnceTheNodeHoldsNothingOrOthersHoldNothing() {
        undivided.yields(3, true, 0);
        undivided.yields(4, false, MINUTE);
        assertThat(undivided.yields(3, true, MINUTE + 1)).isFalse();
        undivided.yields(0, true, 2 * MINUTE);
        assertThat(undivided.yields(3, true, 2 * MINUTE + 2)).isFalse();
    }

    @Test
    void aDividedQueueIsNeverLeftToOthers() {
        QueueShards divided = queue(false);
        divided.acquired(first(1));

        assertThat(divided.readable().shards()).hasSize(1);
        assertThat(divided.yields(1, true, 0)).isFalse();
        assertThat(divided.yields(1, true, 2 * MINUTE)).isFalse();
    }
}

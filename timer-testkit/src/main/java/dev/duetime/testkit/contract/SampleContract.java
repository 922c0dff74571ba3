package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.admin.NodeSample;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that the last sample of each node and queue is kept until it is old. */
abstract class SampleContract extends ContractPart {
    private final String node = unique("n");

    SampleContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void theLastSampleOfEachNodeAndQueueIsKept() {
        NodeSample other = sample(otherQueue, node, NOW);
        NodeSample otherNode = sample(queue, node + "2", NOW);
        put(sample(queue, node, NOW.minusSeconds(5)), other);
        put(otherNode);
        NodeSample last = sample(queue, node, NOW);

        put(last);

        assertThat(kept()).containsExactlyInAnyOrder(last, other, otherNode);
        put();
        assertThat(kept()).hasSize(3);
    }

    @Test
    void aSampleOfTheLargestNumbersIsKept() {
        List<Integer> large =
                IntStream.range(0, NodeSample.SLOTS).mapToObj(i -> 999_999_999).toList();
        NodeSample sample = new NodeSample(queue, "n".repeat(200) + node, NOW, Integer.MAX_VALUE, large, large);

        put(sample);

        assertThat(kept()).containsExactly(sample);
    }

    @Test
    void samplesThatWereTakenBeforeATimeAreForgotten() {
        put(sample(queue, node, NOW.minus(TICK)), sample(otherQueue, node, NOW));

        store().admin().forgetSamples(NOW);

        assertThat(kept()).containsExactly(sample(otherQueue, node, NOW));
    }

    private static NodeSample sample(String queue, String node, Instant takenAt) {
        return new NodeSample(queue, node, takenAt, 3, List.of(0, 17, 4), List.of(20, 0, 1));
    }

    private void put(NodeSample... samples) {
        store().admin().putSamples(List.of(samples));
    }

    private List<NodeSample> kept() {
        return store().admin().samples().stream()
                .filter(each -> each.nodeId().contains(node))
                .toList();
    }
}

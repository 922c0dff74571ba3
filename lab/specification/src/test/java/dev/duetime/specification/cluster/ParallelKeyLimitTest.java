package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.Timer;
import dev.duetime.specification.cluster.LimitKit.Began;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that calls of a publisher hold a parallel key no more often at once than the queue allows, and no less. */
class ParallelKeyLimitTest {
    private static final Duration CALL = Duration.ofMillis(100);

    @SuppressWarnings("NullAway") // each test begins with nodes()
    private LimitKit limited;

    private void nodes(int count, int batchSize, Consumer<QueueBuilder> queue) {
        limited = new LimitKit(
                        count,
                        scheduler ->
                                scheduler.concurrency(10).batchSize(batchSize).queue(LimitKit.QUEUE, queue))
                .each(CALL);
    }

    @AfterEach
    void close() {
        limited.close();
    }

    private void due(int count, String key, UnaryOperator<Timer.Builder> more) {
        limited.kit
                .node(0)
                .scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> more.apply(
                                        Timer.at(key + i, limited.kit.now().minusSeconds(count - i))
                                                .parallelKey(key))
                                .build())
                        .toList());
    }

    private void due(int count, String key) {
        due(count, key, each -> each);
    }

    private void assertDeliveredOnce(int count) {
        assertThat(limited.began).extracting(Began::id).doesNotHaveDuplicates().hasSize(count);
        assertThat(limited.began).allSatisfy(each -> assertThat(each.attempt()).isEqualTo(1));
    }

    @Test
    void asManyCallsHoldAKeyAsAreAllowed() {
        nodes(2, 2, queue -> queue.parallelKeyLimit(3));
        due(60, "a");
        due(60, "b");
        limited.kit.advance(Duration.ofMinutes(1));

        assertThat(limited.mostCallsOfKey()).containsEntry("a", 3).containsEntry("b", 3);
        assertDeliveredOnce(120);
    }

    @Test
    void oneCallHoldsAKeyByDefaultAndItsTimersKeepTheirOrder() {
        nodes(2, 3, queue -> {});
        due(30, "a");
        due(30, "b");
        limited.kit.advance(Duration.ofMinutes(1));

        assertThat(limited.mostCallsOfKey()).containsEntry("a", 1).containsEntry("b", 1);
        for (String key : List.of("a", "b")) {
            assertThat(limited.began)
                    .filteredOn(each -> each.id().startsWith(key))
                    .extracting(Began::id)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 30).mapToObj(i -> key + i).toList());
        }
    }

    @Test
    void theCallsThatAKeyMayHaveAreFilled() {
        nodes(1, 5, queue -> queue.parallelKeyLimit(4));
        Instant start = limited.kit.now();
        due(200, "a");
        limited.kit.advance(Duration.ofSeconds(20));

        assertDeliveredOnce(200);
        // Four calls of five timers each.
        assertThat(limited.began).filteredOn(each -> each.at().equals(start)).hasSize(20);
    }

    @Test
    void aKeyWithABacklogHoldsUpNoOtherTimer() {
        nodes(1, 5, queue -> queue.parallelKeyLimit(2));
        due(2_000, "a");
        limited.kit.advance(Duration.ofSeconds(1));
        Instant from = limited.kit.now();
        limited.due(20, "free", each -> each);
        limited.kit.advance(Duration.ofSeconds(5));

        assertThat(limited.began)
                .filteredOn(each -> each.id().startsWith("free"))
                .hasSize(20)
                .allSatisfy(each -> assertThat(each.at()).isBefore(from.plus(CALL.multipliedBy(3))));
        assertThat(limited.mostCallsOfKey()).containsEntry("a", 2);
    }

    /** The loop ran again and again while a call held the key of a timer that is published apart from the others. */
    @Test
    void aFailingKeyWaitsForItsCallWithoutTurns() {
        nodes(1, 2, queue -> {});
        limited.failFirst(id -> id.startsWith("a"));
        due(6, "a");
        due(40, "b");
        limited.kit.advance(Duration.ofMinutes(30));

        assertThat(limited.mostCallsOfKey()).containsEntry("a", 1).containsEntry("b", 1);
        assertThat(limited.began).extracting(Began::id).contains("a5", "b39");
    }

    @Test
    void aKeyWithFailuresStaysWithinItsCalls() {
        nodes(2, 2, queue -> queue.parallelKeyLimit(2));
        limited.failFirst(id -> id.startsWith("a") && id.endsWith("3"));
        due(40, "a");
        due(40, "b");
        limited.kit.advance(Duration.ofMinutes(30));

        assertThat(limited.mostCallsOfKey().get("a")).isLessThanOrEqualTo(2);
        assertThat(limited.mostCallsOfKey()).containsEntry("b", 2);
        assertThat(limited.began).extracting(Began::id).contains("a3", "a39");
    }
}

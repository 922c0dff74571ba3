package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.LimitKit.LEASE;
import static dev.duetime.specification.cluster.LimitKit.QUEUE;
import static dev.duetime.specification.cluster.LimitKit.assertWithin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of a deploy that changes a limit, while each node has a backlog. Node after node ends, and one with the new
 * limit takes its place. The larger limit is never exceeded, and the smaller one is used.
 */
class RollingLimitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration BETWEEN = SECOND.multipliedBy(10);
    private static final Duration CALL = Duration.ofMillis(100);
    private static final int NODES = 3;
    private static final double ROUNDING = 0.01;
    private static final int BACKLOG = 8_000;

    @SuppressWarnings("NullAway") // each test begins with nodes()
    private LimitKit limited;

    private int next;

    @AfterEach
    void close() {
        limited.close();
    }

    private void nodes(Consumer<QueueBuilder> limit) {
        limited = new LimitKit(
                NODES, scheduler -> scheduler.concurrency(10).batchSize(2).queue(QUEUE, limit));
    }

    private void add(Consumer<QueueBuilder> limit) {
        limited.kit.addNode(scheduler -> scheduler.queue(QUEUE, limit));
    }

    /** Replaces a node, as a deploy does. */
    private void replace(int node, boolean crashes, Consumer<QueueBuilder> limit) {
        if (crashes) {
            limited.kit.node(node).crash();
        } else {
            limited.kit.node(node).close();
        }
        add(limit);
    }

    private void deploy(boolean crashes, Consumer<QueueBuilder> to, Runnable check) {
        for (int i = 0; i < NODES; i++) {
            replace(next++, crashes, to);
            // Shards of a crashed node, and its units, wait for the end of their leases.
            limited.kit.advance(crashes ? LEASE.plus(SECOND) : SECOND.multipliedBy(2));
            check.run();
        }
    }

    /** Returns how many timers are in delivery on average from now on. */
    private double meanRunning() {
        double before = limited.runningSeconds();
        Instant from = limited.kit.now();
        // A call that began before the end lets more time pass.
        limited.kit.advance(BETWEEN);
        double seconds = Duration.between(from, limited.kit.now()).toNanos() / 1e9;
        return (limited.runningSeconds() - before) / seconds;
    }

    private long countOfOneTime() {
        Instant from = limited.kit.now();
        limited.kit.advance(BETWEEN);
        return limited.countBetween(from, BETWEEN);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"6, 12, false", "12, 6, false", "2, 1, false", "1, 9, false", "12, 3, true", "6, 12, true"})
    void aChangedConcurrencyLimitIsNeitherExceededNorUnused(int from, int to, boolean crashes) {
        nodes(queue -> queue.concurrencyLimit(from));
        limited.each(CALL).due(BACKLOG, "t", each -> each);
        limited.kit.advance(SECOND.multipliedBy(5));
        deploy(
                crashes,
                queue -> queue.concurrencyLimit(to),
                () -> assertThat(meanRunning()).isGreaterThan(0.85 * Math.min(from, to)));

        assertThat(limited.mostRunning()).isLessThanOrEqualTo(Math.max(from, to));
        assertThat(meanRunning()).isBetween(0.85 * to, to + ROUNDING);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"20, 50, false", "50, 20, false", "2, 40, false", "50, 20, true", "20, 50, true"})
    void aChangedRateIsNeitherExceededNorUnused(int from, int to, boolean crashes) {
        nodes(queue -> queue.rateLimit(RateLimit.perSecond(from)));
        limited.due(BACKLOG, "t", each -> each);
        limited.kit.advance(SECOND.multipliedBy(5));
        deploy(
                crashes,
                queue -> queue.rateLimit(RateLimit.perSecond(to)),
                () -> assertThat(countOfOneTime())
                        .isGreaterThan((long) (0.85 * Math.min(from, to) * BETWEEN.toSeconds())));
        long after = countOfOneTime();

        assertWithin(RateLimit.perSecond(Math.max(from, to)), limited.began);
        assertThat(after).isBetween((long) (0.9 * to * BETWEEN.toSeconds()), (long) to * BETWEEN.toSeconds() + to);
    }
}

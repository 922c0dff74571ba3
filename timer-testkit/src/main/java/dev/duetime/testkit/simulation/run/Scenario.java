package dev.duetime.testkit.simulation.run;

import dev.duetime.Beta;
import dev.duetime.RetryPolicy;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The settings that a seed chooses: how many nodes, how they are set up, which faults, and how often. Each run has only
 * some of the faults, because many faults together can hide the effect of a single one.
 *
 * @param nodes how many there are at first
 * @param keys how many keys the users have
 * @param maxAttempts 0 for no limit
 * @param faults which ones happen
 * @param rate how probable one is at each opportunity
 * @param concurrency how many calls of the publisher a node makes at once; not chosen by the seed
 * @param limits those of all nodes together; not chosen by the seed
 * @param parallelKeyLimit how many calls may hold timers of a parallel key at once; not chosen by the seed
 */
@Beta
public record Scenario(
        int nodes,
        int keys,
        int shards,
        int batchSize,
        Duration lease,
        Duration poll,
        Duration retention,
        int maxAttempts,
        Set<Fault> faults,
        double rate,
        int concurrency,
        ClusterLimits limits,
        int parallelKeyLimit) {
    public static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

    /** Draws a number for one run, up to the allowed maximum. */
    public static Scenario draw(
            int mostNodes, int mostKeys, Set<Fault> given, double mostRate, int concurrency, RandomGenerator random) {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        given.stream().sorted().filter(fault -> random.nextInt(100) < 60).forEach(faults::add);
        return new Scenario(
                1 + random.nextInt(mostNodes),
                1 + random.nextInt(mostKeys),
                1 + random.nextInt(6),
                1 + random.nextInt(6),
                millis(random, 1_500, 3_000, 5_000, 10_000),
                millis(random, 500, 1_000, 5_000),
                millis(random, 0, 0, 20_000, 3_600_000),
                random.nextInt(3) == 0 ? 3 + random.nextInt(3) : 0,
                faults,
                mostRate * (0.2 + random.nextDouble()),
                concurrency,
                ClusterLimits.NONE,
                1);
    }

    /** Returns this scenario with limits of the cluster. */
    public Scenario withLimits(ClusterLimits ofCluster, int ofParallelKey) {
        return new Scenario(
                nodes,
                keys,
                shards,
                batchSize,
                lease,
                poll,
                retention,
                maxAttempts,
                faults,
                rate,
                concurrency,
                ofCluster,
                ofParallelKey);
    }

    /** Returns whether all nodes together have limits. */
    public boolean hasLimits() {
        return limits.areSome();
    }

    private static Duration millis(RandomGenerator random, Integer... choices) {
        return Duration.ofMillis(List.of(choices).get(random.nextInt(choices.length)));
    }

    /** Returns whether nodes settle a batch while they read the next one: in half of the runs. */
    public boolean readsBesideWrites() {
        return (shards + batchSize) % 2 == 0;
    }

    public void apply(SchedulerBuilder builder) {
        RetryPolicy retry = RetryPolicy.exponential(Duration.ofMillis(100), LONGEST_RETRY);
        builder.shards(shards)
                .batchSize(batchSize)
                .concurrency(concurrency)
                .leaseDuration(lease)
                .pollInterval(poll)
                .retention(retention)
                .retry(maxAttempts == 0 ? retry : retry.maxAttempts(maxAttempts));
        builder.queue(Timer.DEFAULT_QUEUE, queue -> {
            queue.parallelKeyLimit(parallelKeyLimit);
            limits.apply(queue);
        });
    }
}

package dev.duetime.metrics;

import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one queue, as this node sees it. Thread-safe. */
final class QueueMeters {
    /** The lateness of a timer counts as one day at most: the sum of all is kept in nanoseconds, which overflow. */
    private static final Duration MOST_LATE = Duration.ofDays(1);

    private static final Duration[] LATENESS = {
        Duration.ofMillis(10),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        Duration.ofHours(1)
    };

    /** Bounds memory, and what a scrape returns: a type may come from outside. */
    private static final int MOST_TYPES = 300;

    /** What types after these are counted as. */
    private static final String OTHER_TYPES = "other";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, TypeMeters> types = new ConcurrentHashMap<>();
    private final Timer lateness;
    private final Timer polls;
    private final DistributionSummary batches;
    private final Counter overtaken;
    private final Counter skipped;
    private final Counter leasesLost;

    private volatile int owned;
    private volatile boolean paused;
    private volatile @Nullable QueueSample sample;

    QueueMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        lateness = Timer.builder("duetime.timer.lateness")
                .description("time of delivery minus due time")
                .tags(tags)
                .serviceLevelObjectives(LATENESS)
                .register(registry);
        polls = Timer.builder("duetime.poll.duration")
                .description("to read, deliver and settle a batch")
                .tags(tags)
                .register(registry);
        batches = DistributionSummary.builder("duetime.poll.batch")
                .description("timers read at once")
                .baseUnit("timers")
                .tags(tags)
                .register(registry);
        overtaken =
                counter("duetime.timer.overtaken", "outcomes not settled: rescheduled, cancelled, settled elsewhere");
        skipped = counter("duetime.timer.skipped", "times that missed occurrences were skipped, by catch-up");
        leasesLost = counter("duetime.leases.lost", "shards that other nodes took over");
        gauge("duetime.queue.paused", null, "1 while the queue is paused, else 0", meters -> meters.paused ? 1 : 0);
        gauge("duetime.shards.owned", null, "shards this node delivers from", meters -> meters.owned);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private void gauge(String name, @Nullable String unit, String description, ToDoubleFunction<QueueMeters> value) {
        Gauge.builder(name, this, value)
                .baseUnit(unit)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    TypeMeters ofType(String type) {
        TypeMeters known = types.get(type);
        return known != null
                ? known
                : types.computeIfAbsent(counted(type), name -> new TypeMeters(registry, tags.and("type", name)));
    }

    /** Returns the type as which timers of a type are counted. Types that come at once may be a few more. */
    String counted(String type) {
        return types.containsKey(type) || types.size() < MOST_TYPES ? type : OTHER_TYPES;
    }

    void late(Duration by) {
        Duration recorded = by.compareTo(MOST_LATE) > 0 ? MOST_LATE : by;
        lateness.record(recorded.isNegative() ? Duration.ZERO : recorded);
    }

    void overtaken(int count) {
        overtaken.increment(count);
    }

    void skipped() {
        skipped.increment();
    }

    void polled(PolledBatch batch) {
        polls.record(batch.took());
        batches.record(batch.timers());
    }

    void paused(boolean isPaused) {
        paused = isPaused;
    }

    void owns(int shards) {
        owned = shards;
    }

    void lost(int shards, int left) {
        leasesLost.increment(shards);
        owned = left;
    }

    /** Records a sample. The first one registers the gauges, because a node that does not deliver has no samples. */
    void sampled(QueueSample latest) {
        boolean first = sample == null;
        sample = latest;
        owned = latest.shardsOwned();
        if (first) {
            sampled("duetime.queue.oldest.due.age", "seconds", "age of the oldest due timer in seconds", each -> {
                // Not by toNanos, which overflows after 292 years.
                return each.oldestDueAge().toMillis() / 1e3;
            });
            sampled(
                    "duetime.queue.pending",
                    "timers",
                    "timers scheduled in the whole queue, about",
                    QueueSample::pending);
            sampled("duetime.queue.in.flight", "timers", "timers this node has in delivery", QueueSample::inFlight);
            sampled(
                    "duetime.queue.awaiting.permits",
                    "timers",
                    "timers this node has read that wait for a permit of a limit of the cluster",
                    QueueSample::awaitingPermits);
        }
    }

    private void sampled(String name, String unit, String description, ToDoubleFunction<QueueSample> value) {
        gauge(name, unit, description, meters -> {
            QueueSample latest = meters.sample;
            return latest == null ? Double.NaN : value.applyAsDouble(latest);
        });
    }
}

package dev.duetime.engine.operate;

import dev.duetime.engine.report.Listeners;
import dev.duetime.internal.Times;
import dev.duetime.listener.QueueSample;
import dev.duetime.store.DueStore.PendingCount;
import dev.duetime.store.QueueSnapshot;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * A sampler of the state of queues. It asks the store only if a listener wants samples. It asks for all
 * queues at once, and the cost does not grow with their length: it reads the oldest timer of each shard, and a count
 * stops early. Used by one thread.
 */
public final class Sampler {
    /** Up to this number, timers of a queue that are spread evenly over the shards are counted one by one. */
    private static final int COUNTED_OF_ALL = 10_000;
    /**
     * Above it, up to this many timers of one shard are counted. That shard then represents all shards that hold more
     * than their part of the number above.
     */
    private static final int COUNTED_OF_ONE = 100_000;

    private final ScheduleStore store;
    private final Listeners listeners;
    private final List<Source> sources = new ArrayList<>();
    private int turn;

    public Sampler(ScheduleStore store, Listeners listeners) {
        this.store = store;
        this.listeners = listeners;
    }

    public void add(String queue, int shards, IntSupplier inFlight, IntSupplier owned, IntSupplier awaiting) {
        sources.add(new Source(queue, IntStream.range(0, shards).boxed().toList(), inFlight, owned, awaiting));
    }

    /** Returns whether a listener wants samples. */
    boolean isWanted() {
        return listeners.wantSamples();
    }

    /**
     * Samples all queues.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void sample(Instant now) {
        if (!listeners.wantSamples()) {
            return;
        }
        turn++;
        List<String> queues = sources.stream().map(Source::queue).toList();
        Map<String, QueueSnapshot> snapshots = store.snapshot(queues, "");
        Map<String, Map<Integer, Integer>> counts =
                store.pending(sources.stream().map(Source::count).toList());
        for (Source source : sources) {
            QueueSnapshot snapshot = snapshots.get(source.queue);
            Instant next = snapshot == null ? null : snapshot.next().wakeAt();
            Instant oldest = next == null ? now : Times.earlier(next, now);
            listeners.sampled(new QueueSample(
                    source.queue,
                    Duration.between(oldest, now),
                    pending(source, counts.getOrDefault(source.queue, Map.of())),
                    source.inFlight.getAsInt(),
                    source.owned.getAsInt(),
                    source.awaiting.getAsInt()));
        }
    }

    private long pending(Source source, Map<Integer, Integer> counts) {
        int part = source.part();
        List<Integer> full = counts.keySet().stream()
                .filter(shard -> counts.getOrDefault(shard, 0) >= part)
                .sorted()
                .toList();
        long counted = counts.values().stream().mapToLong(each -> each).sum();
        if (full.isEmpty()) {
            return counted;
        }
        int one = full.get(turn % full.size());
        long ofOne = store.pending(source.queue, List.of(one), COUNTED_OF_ONE).getOrDefault(one, part);
        return counted + (ofOne - part) * full.size();
    }

    private record Source(
            String queue, List<Integer> shards, IntSupplier inFlight, IntSupplier owned, IntSupplier awaiting) {
        int part() {
            return Math.max(1, COUNTED_OF_ALL / shards.size());
        }

        PendingCount count() {
            return new PendingCount(queue, shards, part());
        }
    }
}

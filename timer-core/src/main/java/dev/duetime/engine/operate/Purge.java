package dev.duetime.engine.operate;

import dev.duetime.Clock;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.internal.StableHash;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The deletion of ended timers of one queue whose retention is over. It works in small transactions, as fast as more
 * timers become old enough. Of the nodes that serve the queue only the owner of one certain shard deletes: two nodes
 * would wait for each other's locks. It rests for as long as a deletion took, so that it never uses more than half of
 * one connection. Used by one thread.
 */
public final class Purge {
    private static final int BATCH = 1_000;
    private static final Duration SHORTEST_REST = Duration.ofSeconds(1);
    private static final Duration LONGEST_REST = Duration.ofMinutes(1);

    private final QueueSettings queue;
    private final int shard;
    private final ScheduleStore store;
    private final Clock clock;
    private final Supplier<Set<Integer>> owned;
    private final PurgeAroundRefused refused;

    private long nextNanos;
    private Duration rest = LONGEST_REST;
    /** How many timers were deleted since the queue last had none to delete. */
    private long deleted;

    private long emptyAtNanos;

    /** Whether the last deletion found nothing. */
    private boolean wasEmpty;

    public Purge(QueueSettings queue, int shards, ScheduleStore store, Clock clock, Supplier<Set<Integer>> owned) {
        this.queue = queue;
        this.store = store;
        this.clock = clock;
        this.owned = owned;
        refused = new PurgeAroundRefused(queue.name(), store);
        shard = (int) Long.remainderUnsigned(StableHash.of(queue.name()), shards);
        nextNanos = clock.nanoTime();
        emptyAtNanos = nextNanos;
    }

    /**
     * Deletes at most one batch, if it is time to do so.
     *
     * @return whether it was time
     * @throws dev.duetime.StoreException if the store failed
     */
    boolean run() {
        long began = clock.nanoTime();
        if (began - nextNanos < 0) {
            return false;
        }
        if (!owned.get().contains(shard)) {
            rest(LONGEST_REST);
            return true;
        }
        int count;
        try {
            count = store.purge(queue.name(), endedBefore(), BATCH);
        } catch (RefusedException | DoubtfulException e) {
            aroundRefused(began);
            return true;
        }
        deleted += count;
        wasEmpty = count == 0;
        if (count < BATCH) {
            rest(untilABatch());
        } else {
            long now = clock.nanoTime();
            nextNanos = now + (now - began);
        }
        return true;
    }

    private void aroundRefused(long began) {
        wasEmpty = false;
        if (refused.deletePage(endedBefore(), BATCH)) {
            long now = clock.nanoTime();
            nextNanos = now + (now - began);
        } else {
            rest(LONGEST_REST);
        }
    }

    /** Returns whether it is time to delete, but there was nothing the last time. */
    boolean mayBeEmpty() {
        return wasEmpty
                && isSlow()
                && clock.nanoTime() - nextNanos >= 0
                && owned.get().contains(shard);
    }

    String queue() {
        return queue.name();
    }

    /** Returns the time before which timers must have ended to be deleted. */
    Instant endedBefore() {
        return clock.now().minus(queue.retention());
    }

    /** Notes that there is nothing to delete. */
    void foundNothing() {
        rest(LONGEST_REST);
    }

    /** Returns the approximate time until a batch is old enough, but at most twice the previous wait. */
    private Duration untilABatch() {
        Duration most = shorter(rest.plus(rest), LONGEST_REST);
        if (deleted == 0) {
            return most;
        }
        long past = clock.nanoTime() - emptyAtNanos;
        Duration expected = Duration.ofNanos((long) ((double) past * BATCH / deleted));
        return shorter(longer(expected, SHORTEST_REST), most);
    }

    private void rest(Duration duration) {
        rest = duration;
        deleted = 0;
        emptyAtNanos = clock.nanoTime();
        nextNanos = emptyAtNanos + duration.toNanos();
    }

    /** Returns whether the purge runs at its slowest pace, because each time there is less than a batch to delete. */
    boolean isSlow() {
        return rest.equals(LONGEST_REST);
    }

    /**
     * Deletes what skipped turns would have deleted while the purge {@linkplain #isSlow was slow}.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void leftOut() {
        long last = LeftOutTurns.last(nextNanos, LONGEST_REST, clock);
        if (last == Long.MIN_VALUE) {
            return;
        }
        if (owned.get().contains(shard)) {
            Instant before = LeftOutTurns.at(last, clock).minus(queue.retention());
            while (store.purge(queue.name(), before, BATCH) == BATCH) {
                // There are more timers to delete.
            }
        }
        deleted = 0;
        emptyAtNanos = last;
        nextNanos = last + LONGEST_REST.toNanos();
    }

    /** Skips the queue until then: its deletion fails, and only its own. */
    void postpone(long untilNanos) {
        rest(LONGEST_REST);
        nextNanos = untilNanos;
    }

    long nextNanos() {
        return nextNanos;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}

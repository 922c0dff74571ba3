package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The part of a store for the engine's loops, which read due timers, clean up and count. Thread-safe. Every method is
 * atomic, runs in a transaction of its own and throws {@link StoreException} if the store failed.
 */
@Beta
public interface DueStore {
    /**
     * Returns scheduled timers of the given shards with {@code from <= wakeAt <= now}, oldest first. Applies the
     * query's limits of timers and of bytes before it reads payloads and headers, so that it needs no more memory.
     */
    DueTimers due(DueQuery query);

    /**
     * Returns whether {@link #due} in one thread and a write in another can run at the same time; false by default. If
     * so, a queue's loop reads the next batch of a backlog while the one before is settled.
     */
    default boolean readsBesideWrites() {
        return false;
    }

    /**
     * Returns the earliest {@code wakeAt > after} of the scheduled timers in the given shards, and the {@linkplain
     * StoreAdmin#pause pause} of the queue; any instant is legal.
     */
    NextDue nextDue(String queue, Collection<Integer> shards, Instant after);

    /**
     * Marks a scheduled timer of this generation as started: {@link Correlated#waiting} does not return it until an
     * outcome is settled. A repeat changes nothing.
     *
     * @return whether it is scheduled with this generation
     * @throws LockedException if another transaction holds the timer for longer than the store waits
     */
    boolean start(TimerKey key, long generation, Instant now);

    /**
     * Ends expired timers of a shard as {@linkplain dev.duetime.TimerState#EXPIRED expired} at {@code now}, and keeps
     * their attempts and failures. It examines the oldest due timers, and ends those that do not recur and have {@code
     * wakeAt <= now} and {@code expiresAt < now}. {@linkplain StoredTimer#unreadable Unreadable} rows stay, and so may
     * rows that look like these. Optional: a store does nothing if this is no cheaper for it than to read and settle
     * the timers.
     *
     * @param keep whether they are kept; else they are deleted
     * @param limit how many due timers are examined at most
     * @return how many were ended of each type; none by default
     */
    default Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return Map.of();
    }

    /**
     * Deletes reached, expired and cancelled timers with {@code settledAt < before}, never dead ones.
     *
     * @param limit how many at most
     * @return how many
     */
    int purge(String queue, Instant before, int limit);

    /**
     * Returns the queues for which {@link #purge} may have something to delete; by default, all of them.
     *
     * @param before what {@link #purge} is given, by queue
     */
    default Set<String> purgeable(Map<String, Instant> before) {
        return Set.copyOf(before.keySet());
    }

    /**
     * Returns what {@link #pending(String, Collection, int)} returns for each of the queues; by default, by one call
     * after the other.
     *
     * @param counts what to count, at most one for each queue
     */
    default Map<String, Map<Integer, Integer>> pending(Collection<PendingCount> counts) {
        Map<String, Map<Integer, Integer>> results = new HashMap<>();
        counts.forEach(each -> results.put(each.queue(), pending(each.queue(), each.shards(), each.atMost())));
        return results;
    }

    /**
     * A count of scheduled timers.
     *
     * @param queue their queue
     * @param shards where to count
     * @param atMost how far to count in each shard, at least 1
     */
    record PendingCount(String queue, Collection<Integer> shards, int atMost) {}

    /**
     * Returns how many scheduled timers each of the given shards holds, and counts up to {@code atMost} in each. So the
     * cost for a shard is at most an index range of that length.
     *
     * @param atMost at least 1
     * @return a number for each of the given shards
     */
    Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost);
}

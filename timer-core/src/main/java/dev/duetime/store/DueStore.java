package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/**
 * The part of a store that the engine's loops work with: they read what is due, clean up and count. Thread-safe. Every
 * method is atomic, runs in a transaction of its own and throws {@link StoreException} if the store failed.
 */
@Beta
public interface DueStore {
    /**
     * Returns scheduled timers of the given shards with {@code from <= wakeAt <= now}, oldest first. Keeps to the limit
     * and to the bytes of the query before it reads payloads, so that memory for these is enough.
     */
    DueTimers due(DueQuery query);

    /**
     * Returns whether {@link #due} in one thread and a write in another go on at the same time: a queue's loop then
     * reads the next batch of a backlog while the one before is settled. By default they do not.
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
     * Marks a scheduled timer of this generation as started, so that it is not offered by {@link Correlated#waiting}
     * until an outcome is settled; marking it again changes nothing.
     *
     * @return whether it is scheduled with this generation
     * @throws LockedException if another transaction holds the timer for longer than the store waits
     */
    boolean start(TimerKey key, long generation, Instant now);

    /**
     * Ends scheduled timers of a shard that do not recur, with {@code wakeAt <= now} and {@code expiresAt < now}, of
     * the oldest that are due: as {@linkplain dev.duetime.TimerState#EXPIRED expired} at {@code now}, with the attempts
     * and the failure that they have. What {@link StoredTimer#unreadable cannot be read} is left alone, and so may be
     * what cannot be told from that. Optional: a store to which that is no cheaper than reading and settling them does
     * nothing.
     *
     * @param keep whether they are kept; else they are deleted
     * @param limit how many of those that are due are looked at, and ended at most
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
     * Returns how many scheduled timers each of the given shards holds, counting no further than {@code atMost} in
     * each. Costs an index range of that length at most a shard, whatever the queue holds.
     *
     * @param atMost at least 1
     * @return a number for each of the given shards
     */
    Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost);
}

package dev.duetime.store;

import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Collection;

/** Is the part of a store that the engine's loops work with. Every method throws {@link StoreException} if the store failed. */
public interface DueStore {
    /** Returns scheduled timers of the given shards with {@code from <= wakeAt <= now}, oldest first. */
    DueTimers due(DueQuery query);

    /**
     * Returns the earliest {@code wakeAt > after} of the scheduled timers in the given shards, and the {@linkplain
     * StoreAdmin#pause pause} of the queue; any instant is legal.
     */
    NextDue nextDue(String queue, Collection<Integer> shards, Instant after);

    /**
     * Marks a scheduled timer of this generation as started, so that it is not offered by {@link Correlated#waiting} until an
     * outcome is settled; marking it again changes nothing.
     *
     * @return whether it is scheduled with this generation
     */
    boolean start(TimerKey key, long generation, Instant now);

    /**
     * Deletes reached, expired and cancelled timers with {@code settledAt < before}, never dead ones.
     *
     * @param limit how many at most
     * @return how many
     */
    int purge(String queue, Instant before, int limit);
}

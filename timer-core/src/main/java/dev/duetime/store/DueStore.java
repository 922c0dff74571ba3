package dev.duetime.store;

import dev.duetime.StoreException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

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
     * Writes down outcomes. One whose timer is no longer scheduled with the same generation is passed over.
     *
     * @return how many were written down
     */
    int settle(List<Settlement> settlements);

    /**
     * Deletes reached, expired and cancelled timers with {@code settledAt < before}, never dead ones.
     *
     * @param limit how many at most
     * @return how many
     */
    int purge(String queue, Instant before, int limit);
}

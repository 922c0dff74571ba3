package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import java.util.Collection;
import java.util.Map;

/** Is the part of a store that samples need. Thread-safe. */
@Beta
public interface TimerCounts {

    /**
     * Returns how many scheduled timers each of the given shards holds, counting no further than {@code atMost} in each.
     * Costs an index range of that length at most a shard, whatever the queue holds.
     *
     * @param atMost at least 1
     * @return a number for each of the given shards
     * @throws StoreException if the store failed
     */
    Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost);
}

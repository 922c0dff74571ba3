package dev.duetime.engine.shards;

import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.util.Set;

/** The queues of a node, as the owner of its shards sees them. Thread-safe. */
public interface Takeover {
    /** Called before the node owns a shard whose former owner has vanished. */
    void vanished(String queue, Lease lapsed);

    /** Called before the node owns shards that it did not own last. */
    default void cameFromOthers(String queue, Set<Integer> shards) {}

    /** Returns whether a loop of the queue has been late for its turn, or has failed in each turn, for that long. */
    default boolean isLate(String queue, Duration limit) {
        return false;
    }

    /** Called when the node owns more shards of the queue. */
    void acquired(String queue);

    /** Returns the shards from which timers may be in delivery that were read before this call. */
    Set<Integer> inDelivery(String queue);

    /** Called when the node has lost shards of the queue against its will: it owns these, or nothing. */
    void ownsOnly(String queue, Set<Integer> shards);
}

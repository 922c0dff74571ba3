package dev.duetime.store;

import dev.duetime.Beta;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A database that keeps timers, for callers, the engine's loops and the owners of shards. Thread-safe.
 *
 * <p>Each part says what its methods promise. The testkit's {@code ScheduleStoreContract} tests each of these
 * sentences.
 */
@Beta
public interface ScheduleStore extends TimerStore, DueStore {

    /** Returns the leases on this store's shards. */
    ShardLeases leases();

    /**
     * Returns the leases of each given queue, when the next timer wakes in the shards that the node holds, and the
     * pause. So idle queues cost a node one statement, however many they are. By default it asks {@link #leases} and
     * {@link #nextDue} for one queue after the other.
     *
     * @param node the holder of leases; empty for the timers of all shards
     * @return one for each of the queues
     * @throws dev.duetime.StoreException if the store failed
     */
    default Map<String, QueueSnapshot> snapshot(Collection<String> queues, String node) {
        Map<String, QueueSnapshot> snapshots = new HashMap<>();
        for (String queue : queues) {
            ShardMap map = leases().view(queue);
            Set<Integer> shards = node.isEmpty() ? map.shards() : map.heldBy(node);
            snapshots.put(queue, new QueueSnapshot(map, nextDue(queue, shards, Instant.MIN)));
        }
        return snapshots;
    }

    /** Returns the hints between nodes; none by default. */
    default WakeUps wakeUps() {
        return WakeUps.NONE;
    }

    /** Returns the shares of nodes in limits of the cluster; none by default. */
    default Permits permits() {
        return Permits.NONE;
    }

    /**
     * Returns how many transactions of {@link #begin} the handlers of a node may hold at the same time, at least 1, so
     * that its loops still find a connection. Empty, the default, means any number. Called once, before the first
     * transaction of a handler.
     */
    default OptionalInt mostTransactions() {
        return OptionalInt.empty();
    }
}

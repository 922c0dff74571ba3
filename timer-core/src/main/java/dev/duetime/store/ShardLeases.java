package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The leases of nodes on shards. Thread-safe. Every method is atomic, runs in a transaction of its own and throws
 * {@link StoreException} if the store failed.
 *
 * <p>Safety does not rest on leases: two owners of a shard can repeat a delivery, never lose one.
 */
@Beta
public interface ShardLeases {
    /**
     * How far in the future a lease, or an announcement, may end: the longest lease that can be set, and a minute by
     * which two nodes' times may differ. A lease that ends later is void, as if it had ended: a clock was wrong when it
     * was written.
     */
    Duration FURTHEST = Duration.ofMinutes(61);

    /** Returns the store's time, which all nodes share. */
    Instant now();

    /**
     * Creates the shards of a queue if it has none. Also creates those that somebody has deleted, as far as the other
     * shards and scheduled timers show that there were more.
     *
     * @param shards how many, if the queue is new; empty for this store's default
     * @return how many it has: the number with which it was first opened
     */
    int open(String queue, OptionalInt shards);

    /**
     * Creates those of the shards 0 to {@code shards - 1} that somebody has deleted; does nothing by default. Other
     * shards stay as they are.
     */
    default void restore(String queue, int shards) {}

    /** Returns the leases of all shards of the queue, and the nodes that count as alive on it. */
    ShardMap view(String queue);

    /** Returns the {@link #view} of each given queue; by default, of one after the other. */
    default Map<String, ShardMap> views(Collection<String> queues) {
        Map<String, ShardMap> views = new HashMap<>();
        queues.forEach(queue -> views.put(queue, view(queue)));
        return views;
    }

    /** Returns the queues that have a shard without an owner. A shard whose lease has ended still has one. */
    Set<String> free();

    /**
     * Notes that the node is alive on the queue until the given time, and gives it the requested shards that it can
     * have, each with a new epoch. It can have a shard that is free, that it holds already, or whose lease has ended
     * ({@code leaseUntil < now}) or is void ({@code leaseUntil > now + FURTHEST}).
     *
     * @param shards none for a node that waits for its share
     * @return the shards that it was given
     */
    Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until);

    /**
     * Extends all leases that the node holds, of all queues; also one that has ended, if no other node has taken the
     * shard. Must not wait until users' transactions end, because otherwise their handlers could cost the node its
     * shards.
     *
     * @return how many leases the node holds
     */
    int renew(String node, Instant until);

    /**
     * Frees the given shards that the node holds. From then on it counts as alive on the queue only while it owns other
     * shards of it.
     */
    void release(String queue, Collection<Integer> shards, String node);

    /**
     * Lets go of what the store keeps for a node that holds leases, such as a connection of its own; does nothing by
     * default. Called when a node has released its shards. A later {@link #acquire} or {@link #renew} gets it again.
     */
    default void letGo() {}
}

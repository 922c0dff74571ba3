package dev.duetime.engine.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The life of a queue's delivery, including threads that it may have besides the loop. Thread-safe. */
public interface DeliveryLife {

    /**
     * Starts the threads.
     *
     * @param loop called with a due time when the queue's loop must read the timer of that time; {@link Instant#MAX}
     *     asks for a turn without a read
     */
    default void start(Consumer<Instant> loop) {}

    /** Ends the threads before they have begun any work. They can be started again. */
    default void undoStart() {}

    /** Notes that a shard was taken over from a node that vanished. One of its deliveries may have killed that node. */
    void takenOver(int shard, Instant leaseEnded);

    /** Notes, before it owns them, that shards come from other nodes. Called by any thread. */
    void cameFromOthers(Set<Integer> shards);

    /**
     * Stops runs on shards that are not among these, without costing an attempt: this node has lost their shards, or
     * cannot renew its leases. Called before the lease ends.
     */
    default void ownsOnly(Set<Integer> shards) {}

    /** Returns the shards of timers that were read and are not yet settled. */
    Set<Integer> unsettledShards();

    /** Lets the delivery begin nothing more. */
    void beginClose();

    /** Waits for the threads, together no longer than the given time. Returns whether all have ended. */
    boolean close(Supplier<Duration> left);
}

package dev.duetime.engine.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The life of a queue's delivery, with the threads that it may have besides the loop. Thread-safe. */
public interface DeliveryLife {

    /**
     * Starts the threads.
     *
     * @param loop called when the queue's loop must read a timer that is due at that time; {@link Instant#MAX} for a
     *     turn that need not read
     */
    default void start(Consumer<Instant> loop) {}

    /** Ends the threads before they took anything; they can be started again. */
    default void undoStart() {}

    /** Notes that a shard was taken over from a node that vanished: its deliveries may have killed it. */
    void takenOver(int shard, Instant leaseEnded);

    /**
     * Stops what runs on other shards than these, and costs no attempt: this node has lost them, or cannot renew its
     * leases. Called before the lease ends.
     */
    default void ownsOnly(Set<Integer> shards) {}

    /** Returns the shards of timers that were read and are not settled. */
    Set<Integer> unsettledShards();

    /** Makes the delivery begin nothing more. */
    void beginClose();

    /** Waits for the threads, for each no longer than is left; returns whether all have ended. */
    boolean close(Supplier<Duration> left);
}

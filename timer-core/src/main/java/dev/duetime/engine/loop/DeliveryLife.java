package dev.duetime.engine.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The start and the end of a queue's delivery and of its own threads, and changes of its shards in between.
 * Thread-safe.
 */
public interface DeliveryLife {

    /**
     * Starts the threads.
     *
     * @param loop called with a due time when the queue's loop must read the timer of that time; {@link Instant#MAX}
     *     asks for a turn without a read
     */
    default void start(Consumer<Instant> loop) {}

    /**
     * Sets what a thread does after a call of the publisher or a handler. The loop may have ended before the call.
     * Called before {@link #start}.
     */
    void onCallEnd(Runnable action);

    /** Ends the threads before they have begun any work. They can be started again. */
    default void undoStart() {}

    /** Notes that a shard was taken over from a node that vanished. One of its deliveries may have killed that node. */
    void takenOver(int shard, Instant leaseEnded);

    /** Notes that shards come from other nodes, before this node owns them. Called by any thread. */
    void cameFromOthers(Set<Integer> shards);

    /**
     * Stops the runs of todos on all other shards. The runs do not count as attempts, because this node has lost these
     * shards or cannot renew its leases. Called before the lease ends.
     */
    default void ownsOnly(Set<Integer> shards) {}

    /** Returns the shards of timers that were read and are not yet settled. */
    Set<Integer> unsettledShards();

    /** Returns since when the oldest call that runs beside the loop has lasted; null if none runs. */
    default @Nullable Instant oldestCallSince() {
        return null;
    }

    /** Makes the delivery hand out no more timers. */
    void beginClose();

    /** Waits for all threads, for at most the given time in total. Returns whether all have ended. */
    boolean close(Supplier<Duration> left);
}

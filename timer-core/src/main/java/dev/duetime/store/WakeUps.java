package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The hints between the nodes of one store. Thread-safe. Every method runs in transactions of its own and throws {@link
 * StoreException} if the store failed.
 *
 * <p>No timer depends on a hint: owners of shards also ask the store once every poll interval. So a store may lose
 * hints, and by default it has none.
 */
@Beta
public interface WakeUps {
    /**
     * The queue of hints that say until when somebody looks at what the nodes deliver: see {@link
     * StoreAdmin#putSamples}. No queue of timers can have this name.
     */
    String WATCHED = "\u0001watched";

    /** What a store has that keeps no hints. */
    WakeUps NONE = new WakeUps() {};

    /** Returns whether the store keeps hints; false by default. */
    default boolean areKept() {
        return false;
    }

    /**
     * Leaves hints for other nodes, at most one for each queue. What they hint at must be committed before. Does
     * nothing by default.
     *
     * @throws CollisionException if another transaction holds the hints of a queue for longer than the store waits;
     *     then nothing was left
     */
    default void send(Collection<WakeUp> wakeUps) {
        // A store without hints leaves its timers to the poll.
    }

    /**
     * What was sent for a queue.
     *
     * @param queue the queue
     * @param count how many hints, ever; grows by one with each of them
     * @param dueAt the due time that the latest of them named
     */
    record Sent(String queue, long count, Instant dueAt) {}

    /** Returns what was sent for each queue, by one short read; nothing by default. */
    default List<Sent> sent() {
        return List.of();
    }

    /**
     * Begins to receive hints without asking for them.
     *
     * @return empty, as by default, if the store cannot push hints to this process; then ask {@link #sent}
     */
    default Optional<Receiver> receive() {
        return Optional.empty();
    }

    /** The hints that a store pushes to this process. Used by one thread at a time. */
    interface Receiver extends AutoCloseable {
        /**
         * Waits until hints arrive, and returns them.
         *
         * @param longest how long to wait at most; longer only while the store is slow
         * @return nothing if none arrived
         * @throws StoreException if hints may have been lost: close this receiver and begin again
         */
        List<WakeUp> await(Duration longest);

        /** Ends the receiver. A repeat does nothing. */
        @Override
        void close();
    }
}

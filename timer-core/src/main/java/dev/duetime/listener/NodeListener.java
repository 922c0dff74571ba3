package dev.duetime.listener;

import dev.duetime.admin.TimerAdmin;
import dev.duetime.store.ListKey;
import java.time.Duration;
import java.time.Instant;

/**
 * Also watches how a node fares: its polls, shards and outages. Added to a scheduler, and called, as any
 * {@link TimerListener}; shards, samples and outages are told by several threads.
 */
public interface NodeListener extends TimerListener {

    /** Called after each batch: it was read, delivered and settled. A look that only asks for the next due time is none. */
    default void polled(PolledBatch batch) {}

    /**
     * Called when the node got shards of a queue.
     *
     * @param count how many
     * @param owned how many it has now
     */
    default void shardsAcquired(String queue, int count, int owned) {}

    /**
     * Called when the node gave shards back, because others should have them or because it stops.
     *
     * @param count how many
     * @param owned how many it has now
     */
    default void shardsReleased(String queue, int count, int owned) {}

    /**
     * Called when other nodes took shards over: this node did not renew its lease in time.
     *
     * @param count how many
     * @param owned how many it has now
     */
    default void shardsLost(String queue, int count, int owned) {}

    /** Called when this node notices that a queue was paused, on whatever node, or resumed: see {@link TimerAdmin#pause}. */
    default void paused(String queue, boolean isPaused) {}

    /**
     * Called once when something is not available any more: nothing is lost, and it is tried again. If one was told less than
     * ten minutes ago, the next is told only when it has lasted for a minute.
     *
     * @param what {@code store}, or {@code publisher of queue …}
     */
    default void outageBegan(String what, Throwable cause) {}

    /** Called once when it is available again. */
    default void outageOver(String what, Duration lasted) {}

    /** Called once a minute for each queue that this node delivers from. Only for this is the store asked for a sample. */
    default void sampled(QueueSample sample) {}

    /**
     * Called when the handler of a to-do list threw: the item is left for the next tick.
     *
     * @param now the tick's time
     */
    default void todoFailed(ListKey key, Instant now, Throwable error) {}

    /** Called after each tick, also one that was broken off, on which a to-do list had overdue items. */
    default void sweptTodos(ListSweep sweep) {}
}

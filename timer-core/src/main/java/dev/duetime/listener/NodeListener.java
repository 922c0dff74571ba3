package dev.duetime.listener;

import dev.duetime.admin.TimerAdmin;
import dev.duetime.store.ListKey;
import java.time.Duration;
import java.time.Instant;

/**
 * A listener that also observes the node: its polls, shards and outages. It is added to a scheduler and called like any
 * {@link TimerListener}. Several threads report shards, samples and outages.
 */
public interface NodeListener extends TimerListener {

    /**
     * Called after a batch was read, delivered and settled. Not called if the loop only asked for the next due time.
     */
    default void polled(PolledBatch batch) {}

    /**
     * Called when the node acquired shards of a queue.
     *
     * @param count how many
     * @param owned how many it owns now
     */
    default void shardsAcquired(String queue, int count, int owned) {}

    /**
     * Called when the node released shards, because other nodes should have them or because it stops.
     *
     * @param count how many
     * @param owned how many it owns now
     */
    default void shardsReleased(String queue, int count, int owned) {}

    /**
     * Called when other nodes took over shards because this node did not renew its lease in time.
     *
     * @param count how many
     * @param owned how many it owns now
     */
    default void shardsLost(String queue, int count, int owned) {}

    /** Called when this node notices that a queue was paused or resumed, on any node: see {@link TimerAdmin#pause}. */
    default void paused(String queue, boolean isPaused) {}

    /**
     * Called once when the store or a publisher becomes unavailable. The node retries, and no timer is lost. If another
     * outage of it was reported less than ten minutes ago, this one is reported only after it has lasted for a minute.
     *
     * @param what {@code store}, or {@code publisher of queue …}
     */
    default void outageBegan(String what, Throwable cause) {}

    /** Called once when the store or the publisher is available again. */
    default void outageOver(String what, Duration lasted) {}

    /**
     * Called once a minute for each queue that this node delivers. The store is queried for samples only if a listener
     * overrides this method.
     */
    default void sampled(QueueSample sample) {}

    /**
     * Called when the handler of a to-do list threw. The item is left for the next tick.
     *
     * @param now the tick's time
     */
    default void todoFailed(ListKey key, Instant now, Throwable error) {}

    /** Called after each tick on which a to-do list had overdue items, also if the tick was interrupted. */
    default void sweptTodos(ListSweep sweep) {}
}

package dev.duetime.engine;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.Health;
import dev.duetime.engine.operate.Operations;
import dev.duetime.engine.operate.Upkeep;
import dev.duetime.engine.report.Listeners;
import dev.duetime.store.TimerWrites;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A node as its scheduler sees it: one engine, or one for each host of its store. Thread-safe. */
public interface LocalNode {

    /**
     * Starts the loops; starting again does nothing.
     *
     * @param upkeep runs at once and then once a minute
     */
    void start(List<Upkeep> upkeep);

    /**
     * Lets deliveries finish, settles them and gives the shards back. Closing again does nothing, nor does it wait for
     * a close under way: a publisher that closes the scheduler while another thread does would wait for itself.
     */
    void close();

    /** Returns whether this node knows the queue. */
    boolean knows(String queue);

    /** Returns the names of the queues that this node knows. */
    Set<String> queues();

    /** Samples the store's time again if the last sample is old: on a node that only schedules no loop does so. */
    void refreshClock();

    /**
     * Resolves and stores timers, and wakes the loops that will deliver them.
     *
     * @throws IllegalArgumentException if a timer is invalid; then none is stored
     */
    List<ScheduleResult> schedule(Collection<Timer> timers);

    /** Resolves timers and stores them in a caller's transaction, and lets the loops poll for its commit. */
    List<ScheduleResult> schedule(Collection<Timer> timers, TimerWrites transaction);

    /** Cancels a timer, unless this node has its stored generation in delivery. */
    CancelResult cancel(TimerKey key, TimerWrites writes);

    /** Returns the operations of an operator on this node. */
    Operations operations();

    /** Returns the user's listeners. */
    Listeners listener();

    /** Returns the health of this node, without a call of the store. */
    Health health();
}

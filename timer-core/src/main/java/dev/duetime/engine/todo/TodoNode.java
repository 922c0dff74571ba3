package dev.duetime.engine.todo;

import dev.duetime.PayloadCodec;
import dev.duetime.engine.limits.TransactionPermits;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.Collisions;
import dev.duetime.engine.settle.HeldKeys;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import java.util.List;
import java.util.Set;

/**
 * The things that the workers of a queue share. Thread-safe.
 *
 * @param queue the queue
 * @param node the settings of the node
 * @param store where todos are kept
 * @param clock the time, which watches the loops
 * @param owner knows the shards that this node may deliver from
 * @param inFlight the todos that run
 * @param schedules stores the timers that handlers schedule
 * @param transactions bounds how many transactions workers hold
 * @param collisions counts the outcomes that met other transactions
 * @param heldKeys knows what other transactions were seen to hold
 */
public record TodoNode(
        QueueSettings queue,
        NodeSettings node,
        ScheduleStore store,
        LoopWatch clock,
        ShardOwner owner,
        InFlight inFlight,
        Schedules schedules,
        TransactionPermits transactions,
        Collisions collisions,
        HeldKeys heldKeys) {

    /** Creates the shared things of a queue, before anything has run. */
    public TodoNode(
            QueueSettings queue,
            NodeSettings node,
            ScheduleStore store,
            LoopWatch clock,
            ShardOwner owner,
            InFlight inFlight,
            Schedules schedules,
            TransactionPermits transactions) {
        this(
                queue,
                node,
                store,
                clock,
                owner,
                inFlight,
                schedules,
                transactions,
                new Collisions(),
                new HeldKeys(clock));
    }

    /** A store for the timers that handlers schedule, in the transaction of their outcome. */
    interface Schedules extends TodoAttempt.Resolver {
        /** Stores and commits the timers of other stores, and returns the rest. */
        List<NewTimer> scheduleElsewhere(List<NewTimer> timers);

        /** Returns the correlation keys, with their queues, that {@link #schedule} may have to wait for. */
        Set<String> keys(List<NewTimer> timers);

        List<Merging.Stored> schedule(List<NewTimer> timers, TimerWrites writes);

        /** Reports stored timers to the listeners, and wakes the loops that will deliver them. */
        void scheduled(List<NewTimer> timers, List<Merging.Stored> stored);

        /**
         * Lets the loops poll for timers of a transaction that failed, because the reply of its commit may have been
         * lost.
         */
        void mayBeStored(List<NewTimer> timers);
    }

    boolean owns(int shard) {
        return owner.owned(queue.name()).contains(shard);
    }

    Listeners listeners() {
        return node.listeners();
    }

    PayloadCodec codec() {
        return node.codec();
    }

    TodoAttempt.Resolver resolver() {
        return schedules;
    }

    List<NewTimer> scheduleElsewhere(List<NewTimer> timers) {
        return timers.isEmpty() ? timers : schedules.scheduleElsewhere(timers);
    }

    Set<String> keys(List<NewTimer> timers) {
        return timers.isEmpty() ? Set.of() : schedules.keys(timers);
    }

    List<Merging.Stored> schedule(List<NewTimer> timers, TimerWrites writes) {
        return timers.isEmpty() ? List.of() : schedules.schedule(timers, writes);
    }

    void scheduled(List<NewTimer> timers, List<Merging.Stored> stored) {
        schedules.scheduled(timers, stored);
    }

    void mayBeStored(List<NewTimer> timers) {
        schedules.mayBeStored(timers);
    }
}

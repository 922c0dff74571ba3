package dev.duetime.engine.loop;

import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.report.DeliveryRing;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.OccurrenceLog;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.store.ScheduleStore;

/**
 * The parts that a queue's loop shares with the delivery of its timers.
 *
 * @param queue the settings of the queue
 * @param node the settings of the node
 * @param store the store of the timers
 * @param clock the time, which also watches the threads of the queue
 * @param owner knows the shards that this node owns
 * @param inFlight the timers in delivery
 * @param pause whether an operator has paused the queue
 * @param delivered counts what this node delivers of the queue
 * @param history gets the outcomes of recurring timers
 * @param permits the limits of the cluster
 */
public record LoopParts(
        QueueSettings queue,
        NodeSettings node,
        ScheduleStore store,
        LoopWatch clock,
        ShardOwner owner,
        InFlight inFlight,
        PauseFlag pause,
        DeliveryRing delivered,
        OccurrenceLog history,
        QueuePermits permits) {}

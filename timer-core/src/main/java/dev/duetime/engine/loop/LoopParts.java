package dev.duetime.engine.loop;

import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.InFlight;
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
 */
public record LoopParts(
        QueueSettings queue,
        NodeSettings node,
        ScheduleStore store,
        LoopWatch clock,
        ShardOwner owner,
        InFlight inFlight,
        PauseFlag pause) {}

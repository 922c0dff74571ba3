package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.limits.TransactionPermits;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.loop.PauseFlag;
import dev.duetime.engine.loop.ServedQueue;
import dev.duetime.engine.publish.PublisherDelivery;
import dev.duetime.engine.report.DeliveryRing;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CountingTime;
import dev.duetime.engine.settle.Generations;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.MissedOccurrences;
import dev.duetime.engine.settle.NextOccurrence;
import dev.duetime.engine.settle.OccurrenceLog;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.SkipTargets;
import dev.duetime.engine.settle.UnknownTypes;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.engine.todo.HandlerSchedules;
import dev.duetime.engine.todo.TodoBuffer;
import dev.duetime.engine.todo.TodoDelivery;
import dev.duetime.engine.todo.TodoNode;
import dev.duetime.engine.todo.TodoOutcomes;
import dev.duetime.store.ScheduleStore;

/**
 * The assembly of the queues that a node delivers: each gets its loop, and a delivery to its publisher or to workers.
 */
final class QueueAssembly {
    private final ScheduleStore store;
    private final Clock clock;
    private final NodeSettings node;
    private final ShardOwner owner;
    private final Generations generations;
    private final HandlerSchedules schedules;
    private final OccurrenceLog history;
    private final TransactionPermits transactions;

    QueueAssembly(
            ScheduleStore store,
            Clock clock,
            NodeSettings node,
            ShardOwner owner,
            Generations generations,
            HandlerSchedules schedules,
            OccurrenceLog history) {
        this.store = store;
        this.clock = clock;
        this.node = node;
        this.owner = owner;
        this.generations = generations;
        this.schedules = schedules;
        this.history = history;
        transactions = new TransactionPermits(store::mostTransactions);
    }

    ServedQueue assemble(QueueSettings queue) {
        HandlerSettings handler = queue.handler();
        PauseFlag pause = new PauseFlag(queue.name(), node.listeners());
        return handler == null ? publisher(queue, pause) : workers(queue, handler, pause);
    }

    private ServedQueue publisher(QueueSettings queue, PauseFlag pause) {
        LoopParts parts = parts(queue, new InFlight(), pause, new QueuePermits(queue, clock));
        PublisherDelivery delivery = new PublisherDelivery(parts);
        return new ServedQueue(parts, delivery, delivery, delivery::publisherOutage);
    }

    private ServedQueue workers(QueueSettings queue, HandlerSettings handler, PauseFlag pause) {
        QueuePermits permits = new QueuePermits(queue, clock);
        TodoBuffer buffer = new TodoBuffer(queue, handler.mode(), clock, pause, permits);
        pause.whenChanged(buffer::pauseChanged);
        LoopParts parts = parts(queue, new InFlight(buffer::forget), pause, permits);
        TodoNode shared =
                new TodoNode(queue, node, store, parts.clock(), owner, parts.inFlight(), schedules, transactions);
        UnknownTypes unknownTypes =
                new UnknownTypes(queue.name(), queue.retries().unknownTypesFor());
        // One worker skips, and another one may run the todo then.
        SkipTargets skipTargets = new SkipTargets();
        TodoDelivery delivery =
                new TodoDelivery(shared, buffer, handler, () -> outcomes(parts, unknownTypes, skipTargets));
        // A failure of a handler belongs to its todo: there is no publisher that could be unavailable.
        return new ServedQueue(parts, delivery, delivery, () -> null);
    }

    private LoopParts parts(QueueSettings queue, InFlight inFlight, PauseFlag pause, QueuePermits permits) {
        LoopWatch watch = new LoopWatch(clock);
        return new LoopParts(queue, node, store, watch, owner, inFlight, pause, new DeliveryRing(), history, permits);
    }

    private TodoOutcomes outcomes(LoopParts parts, UnknownTypes unknownTypes, SkipTargets skipTargets) {
        NextOccurrence occurrences = new NextOccurrence(generations, history);
        Settlements settlements = new Settlements(
                parts.queue(), node.listeners(), parts.delivered(), node.random(), occurrences, unknownTypes);
        return new TodoOutcomes(
                settlements,
                new MissedOccurrences(occurrences, settlements, CountingTime.unlimited(), skipTargets),
                generations,
                schedules::encode,
                node.listeners());
    }
}

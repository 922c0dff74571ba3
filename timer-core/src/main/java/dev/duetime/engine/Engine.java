package dev.duetime.engine;

import dev.duetime.CancelResult;
import dev.duetime.Clock;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.Health;
import dev.duetime.engine.limits.PermitLoop;
import dev.duetime.engine.loop.IdlePoll;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.loop.ServedQueue;
import dev.duetime.engine.operate.CancelGuard;
import dev.duetime.engine.operate.EmptyPurges;
import dev.duetime.engine.operate.HistoryWriter;
import dev.duetime.engine.operate.Housekeeping;
import dev.duetime.engine.operate.Operations;
import dev.duetime.engine.operate.Purge;
import dev.duetime.engine.operate.SampleWriter;
import dev.duetime.engine.operate.Sampler;
import dev.duetime.engine.operate.StoreBulk;
import dev.duetime.engine.operate.StoreQueues;
import dev.duetime.engine.operate.Upkeep;
import dev.duetime.engine.prompt.LoopAlarm;
import dev.duetime.engine.prompt.NearPlacement;
import dev.duetime.engine.prompt.WakeUpLoop;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.schedule.TimerResolver;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.BegunCancels;
import dev.duetime.engine.settle.Generations;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.OccurrenceLog;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.engine.todo.HandlerSchedules;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.WakeUps;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The engine of one node and one store: it puts the parts together. Thread-safe. */
public final class Engine implements LocalNode {
    private final LoopAlarm alarm;
    private final ScheduleStore store;
    private final Clock clock;
    private final NodeSettings node;
    private final OpenQueues queues;
    private final QueueLoops loops = new QueueLoops();
    private final ShardOwner owner;
    private final TimerResolver resolver;
    private final TimerIntake intake;
    private final HandlerSchedules schedules;
    private final Operations operations;
    private final PermitLoop limits;
    private final NodeLife life;

    /**
     * Opens the queues.
     *
     * @throws StoreException if the store failed
     */
    public Engine(ScheduleStore store, Clock clock, NodeSettings node, List<QueueSettings> queues) {
        this(store, clock, node, queues, null);
    }

    /**
     * Opens the queues.
     *
     * @param ofHosts resolves timers for all hosts of the node; null if this is the only engine
     * @throws StoreException if the store failed
     */
    public Engine(
            ScheduleStore store,
            Clock clock,
            NodeSettings node,
            List<QueueSettings> queues,
            @Nullable TimerResolver ofHosts) {
        EngineClasses.initialize();
        this.store = store;
        this.clock = clock;
        this.node = node;
        this.queues = new OpenQueues(store, queues);
        Generations generations = new Generations(node.random());
        resolver = ofHosts != null ? ofHosts : new TimerResolver(node, generations, this.queues, store, clock::now);
        Merging merging = new Merging(queues, clock, generations, node.codec(), resolver::encode);
        List<QueueSettings> served =
                queues.stream().filter(QueueSettings::isServed).toList();
        Set<String> handled =
                names(served.stream().filter(each -> each.handler() != null).toList());
        Set<String> sequential =
                names(served.stream().filter(QueueSettings::isSequential).toList());
        this.queues.openAll();
        owner = new ShardOwner(node, store.leases(), clock, this.queues.shardsOf(served), sequential, loops);
        WakeUps wakeUps = node.hints() ? store.wakeUps() : WakeUps.NONE;
        WakeUpLoop hints = new WakeUpLoop(node, wakeUps, clock, owner, loops);
        alarm = new LoopAlarm(queues, clock, owner, loops, hints);
        NearPlacement placement = new NearPlacement(served, owner, loops);
        intake = new TimerIntake(store, clock, node.listeners(), merging, placement, alarm, served);
        schedules = new HandlerSchedules(resolver, placement::apply, merging, intake::stored, alarm::mayBeCommitted);
        Sampler sampler = new Sampler(store, node.listeners());
        SampleWriter writer = new SampleWriter(store, clock, node.nodeId().toString());
        OccurrenceLog log = new OccurrenceLog(clock, node.occurrenceHistory() != null);
        HistoryWriter history = new HistoryWriter(store, clock, log, node.occurrenceHistory());
        Housekeeping housekeeping = new Housekeeping(clock, node, sampler, writer, history, new EmptyPurges(store));
        QueueAssembly assembly = new QueueAssembly(store, clock, node, owner, generations, schedules, log);
        checkLimits(served);
        limits = new PermitLoop(node, store.permits(), clock);
        served.forEach(each -> serve(each, assembly, sampler, writer, housekeeping));
        operations = new Operations(
                new StoreBulk(store, clock, generations::next, new CancelGuard(loops::deliveries), alarm::anyTimer),
                new StoreQueues(store, clock, node.nodeId().toString(), loops::pause));
        IdlePoll idlePoll = new IdlePoll(store, clock, node.nodeId().toString(), loops, owner.news());
        life = new NodeLife(clock, node.closeTimeout(), loops, owner, hints, limits, idlePoll, housekeeping, handled);
        log.onFirst(life::wakeHousekeeping);
        hints.onWatched(until -> {
            if (writer.watchUntil(until)) {
                life.wakeHousekeeping();
            }
        });
    }

    @SuppressWarnings("ReferenceEquality")
    private void checkLimits(List<QueueSettings> served) {
        if (store.permits() == Permits.NONE) {
            served.stream()
                    .filter(each -> each.limits().areShared())
                    .findFirst()
                    .ifPresent(each -> {
                        throw new IllegalStateException("queue " + each.name()
                                + " must have no limits of the cluster, because its store keeps none");
                    });
        }
    }

    private static Set<String> names(List<QueueSettings> queues) {
        return queues.stream().map(QueueSettings::name).collect(Collectors.toSet());
    }

    private void serve(
            QueueSettings queue,
            QueueAssembly assembly,
            Sampler sampler,
            SampleWriter writer,
            Housekeeping housekeeping) {
        ServedQueue served = assembly.assemble(queue);
        loops.add(served);
        String name = queue.name();
        int shards = queues.shards(name);
        sampler.add(
                name,
                shards,
                served.inFlight()::size,
                () -> owner.owned(name).size(),
                () -> served.permits().waitingCount());
        writer.add(name, served.delivered(), served.inFlight()::size);
        limits.add(served.permits());
        housekeeping.purge(new Purge(queue, shards, store, clock, () -> owner.owned(name)));
    }

    @Override
    public void start(List<Upkeep> upkeep) {
        life.start(upkeep);
    }

    @Override
    public void close() {
        life.close();
    }

    /** Returns what starts and ends its loops. */
    public NodeLife life() {
        return life;
    }

    @Override
    public boolean knows(String queue) {
        return queues.knows(queue);
    }

    @Override
    public Set<String> queues() {
        return queues.queues();
    }

    /** Returns how many shards the queue has, which creates it if it is not there; 1 if it is not known. */
    public int shards(String queue) {
        return queues.shards(queue);
    }

    @Override
    public void refreshClock() {
        if (clock instanceof StoreClock storeClock) {
            storeClock.refresh();
        }
    }

    @Override
    public List<ScheduleResult> schedule(Collection<Timer> timers) {
        return store(resolver.resolve(timers, store));
    }

    @Override
    public List<ScheduleResult> schedule(Collection<Timer> timers, TimerWrites transaction) {
        return store(resolver.resolve(timers, transaction), transaction);
    }

    /** Wakes the loops of this node and others for timers of any queue, which an operator has moved to that time. */
    public void wakeAll(Instant dueAt) {
        alarm.anyTimer(dueAt);
    }

    /** Stores resolved timers and wakes the loops that will deliver them. */
    public List<ScheduleResult> store(List<NewTimer> timers) {
        return timers.isEmpty() ? List.of() : intake.store(timers);
    }

    /** Stores resolved timers in a caller's transaction, and lets the loops poll for its commit. */
    public List<ScheduleResult> store(List<NewTimer> timers, TimerWrites transaction) {
        return timers.isEmpty() ? List.of() : intake.store(timers, transaction);
    }

    /** Returns what stores the timers of handlers, and what stores several timers in a transaction that others end. */
    public HandlerSchedules schedules() {
        return schedules;
    }

    @Override
    public CancelResult cancel(TimerKey key, TimerWrites writes) {
        CancelResult result = cancel(key, writes, loops.deliveries(), clock.now());
        node.listeners().cancelled(key, result);
        return result;
    }

    /** Cancels a timer, unless one of the loops has its stored generation in delivery. */
    public static CancelResult cancel(TimerKey key, TimerWrites writes, List<InFlight> loops, Instant now) {
        try (BegunCancels begun = new BegunCancels(loops)) {
            List<Long> inDelivery = begun.begin(key);
            // More than one if it moved from queue to queue: it is not known which of them is stored.
            return inDelivery.size() > 1
                    ? CancelResult.TOO_LATE
                    : writes.cancel(
                            key,
                            now,
                            inDelivery.stream().mapToLong(each -> each).findFirst());
        }
    }

    @Override
    public Operations operations() {
        return operations;
    }

    @Override
    public Listeners listener() {
        return node.listeners();
    }

    @Override
    public Health health() {
        Instant now = clock.now();
        return new Health(
                node.nodeId().toString(),
                now,
                life.isRunning(),
                owner.storeOutage(),
                life.stuckSince(),
                loops.health(now));
    }

    /** Returns the loops of its queues. */
    public QueueLoops loops() {
        return loops;
    }

    /** Returns the clock of its store. */
    public Clock clock() {
        return clock;
    }

    /** Returns whether its store was unavailable when it was last asked for leases. */
    public boolean isAway() {
        return owner.storeOutage() != null;
    }
}

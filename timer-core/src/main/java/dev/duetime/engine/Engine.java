package dev.duetime.engine;

import dev.duetime.CancelResult;
import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.Health;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.loop.PauseFlag;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.loop.ServedQueue;
import dev.duetime.engine.operate.CancelGuard;
import dev.duetime.engine.operate.Housekeeping;
import dev.duetime.engine.operate.Operations;
import dev.duetime.engine.operate.Purge;
import dev.duetime.engine.operate.Sampler;
import dev.duetime.engine.operate.StoreBulk;
import dev.duetime.engine.operate.StoreQueues;
import dev.duetime.engine.publish.PublisherDelivery;
import dev.duetime.engine.schedule.ContextHeaders;
import dev.duetime.engine.schedule.GroupCommit;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueHandler;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.Generations;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.MissedOccurrences;
import dev.duetime.engine.settle.NextOccurrence;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.UnknownTypes;
import dev.duetime.engine.shards.LeaseWatch;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.engine.todo.HandlerSchedules;
import dev.duetime.engine.todo.TodoBuffer;
import dev.duetime.engine.todo.TodoDelivery;
import dev.duetime.engine.todo.TodoNode;
import dev.duetime.engine.todo.TodoOutcomes;
import dev.duetime.engine.todo.TransactionPermits;
import dev.duetime.internal.Times;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the loops of a node together, and wakes them when something is scheduled here. Thread-safe. */
public final class Engine implements LocalNode {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** So many types are logged, which bounds memory. */
    private static final int MOST_UNHANDLED = 100;

    public static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

    private static final Duration LEAST_TO_FINISH = Duration.ofSeconds(1);
    private static final Duration MOST_TO_FINISH = Duration.ofSeconds(5);

    private final ScheduleStore store;
    private final Clock clock;
    private final NodeSettings node;
    private final ContextHeaders context;
    private final GroupCommit combiner;
    private final Generations generations;
    private final Merging merging;
    private final HandlerSchedules schedules;
    private final Map<String, QueueSettings> queues = new HashMap<>();
    private final Map<String, Integer> shards = new ConcurrentHashMap<>();
    private final Map<String, QueueHandler> handlers = new HashMap<>();
    private final Set<String> unhandled = ConcurrentHashMap.newKeySet();
    private final QueueLoops loops = new QueueLoops();
    private final LoopWatch watch;
    private final ShardOwner owner;
    /** Queues with a handler, whose runs must stop before the leases end. */
    private final Set<String> handled;

    private final TransactionPermits transactions;
    private final Housekeeping housekeeping;
    private final Operations operations;
    private final ReentrantLock life = new ReentrantLock();

    // Mutable state, written under life or by the one thread that closes.
    private volatile Clock.@Nullable Loop ownership;
    private volatile Clock.@Nullable Loop purging;
    private volatile Clock.@Nullable Loop leaseWatch;
    private volatile boolean started;
    private volatile boolean closed;

    /**
     * Opens the queues.
     *
     * @throws StoreException if the store failed
     */
    public Engine(ScheduleStore store, Clock clock, NodeSettings node, List<QueueSettings> queues) {
        this.store = store;
        this.clock = clock;
        this.node = node;
        transactions = new TransactionPermits(store::mostTransactions);
        watch = new LoopWatch(clock);
        context = new ContextHeaders(node.propagation());
        combiner = new GroupCommit(store, clock);
        generations = new Generations(node.random());

        schedules = new HandlerSchedules(
                context,
                queues,
                clock,
                generations,
                node.codec(),
                (timers, stored) -> told(timers, stored, loops::wake),
                this::mayBeStored);
        merging = schedules.merging();

        List<QueueSettings> served =
                queues.stream().filter(QueueSettings::isServed).toList();
        handled = names(served.stream().filter(each -> each.handler() != null).toList());
        owner = new ShardOwner(node, store.leases(), clock, names(served), loops);
        Sampler sampler = new Sampler(store, node.listeners());
        housekeeping = new Housekeeping(clock, node, sampler);
        queues.forEach(each -> this.queues.put(each.name(), each));
        queues.forEach(this::declare);
        served.forEach(each -> serve(each, sampler));
        operations = new Operations(
                new StoreBulk(store, clock, generations::next, new CancelGuard(loops::deliveries), loops::wakeAll),
                new StoreQueues(store, clock, node.nodeId().toString(), loops::pause));
    }

    private void serve(QueueSettings queue, Sampler sampler) {
        String name = queue.name();
        ServedQueue served = queue.handler() == null ? publisher(queue) : workers(queue, queue.handler());
        loops.add(served);
        sampler.add(
                name,
                shards.getOrDefault(name, 1),
                served.inFlight()::size,
                () -> owner.owned(name).size());
        housekeeping.purge(new Purge(queue, shards.getOrDefault(name, 1), store, clock, () -> owner.owned(name)));
    }

    private ServedQueue publisher(QueueSettings queue) {
        LoopParts parts = parts(queue, new InFlight(), new PauseFlag(queue.name(), node.listeners()));
        PublisherDelivery delivery = new PublisherDelivery(parts);
        return new ServedQueue(parts, delivery, delivery, delivery::publisherOutage);
    }

    private LoopParts parts(QueueSettings queue, InFlight inFlight, PauseFlag pause) {
        return new LoopParts(queue, node, store, new LoopWatch(clock), owner, inFlight, pause);
    }

    private ServedQueue workers(QueueSettings queue, HandlerSettings handler) {
        handlers.put(queue.name(), handler.handler());
        PauseFlag pause = new PauseFlag(queue.name(), node.listeners());
        TodoBuffer buffer = new TodoBuffer(handler.mode(), queue.batchSize(), clock, pause);
        pause.whenChanged(buffer::pauseChanged);
        LoopParts parts = parts(queue, new InFlight(buffer::forget), pause);
        TodoNode shared =
                new TodoNode(queue, node, store, parts.clock(), owner, parts.inFlight(), schedules, transactions);
        UnknownTypes unknownTypes =
                new UnknownTypes(queue.name(), queue.retries().unknownTypesFor());
        TodoDelivery delivery = new TodoDelivery(shared, buffer, handler, () -> outcomes(queue, unknownTypes));
        // A handler's failures are its todos' own: there is no publisher that could be unavailable.
        return new ServedQueue(parts, delivery, delivery, () -> null);
    }

    private TodoOutcomes outcomes(QueueSettings queue, UnknownTypes unknownTypes) {
        NextOccurrence occurrences = new NextOccurrence(generations);
        Settlements outcomes = new Settlements(queue, node.listeners(), node.random(), occurrences, unknownTypes);
        return new TodoOutcomes(
                outcomes,
                new MissedOccurrences(occurrences, outcomes),
                generations,
                schedules::encode,
                node.listeners());
    }

    private static Set<String> names(List<QueueSettings> queues) {
        return queues.stream().map(QueueSettings::name).collect(Collectors.toSet());
    }

    /**
     * Opens a queue that this node serves, or that is there. What is merely declared is created by the first schedule on it:
     * how many shards it needs is known to the nodes that serve it.
     */
    private void declare(QueueSettings queue) {
        boolean known = queue.isServed()
                || queue.shards().isPresent()
                || !store.leases().view(queue.name()).leases().isEmpty();
        if (known) {
            open(queue);
        }
        if (!queue.isServed()) {
            LOG.info("queue {} has no publisher here and is left to other nodes to deliver", queue.name());
        }
    }

    private int open(QueueSettings queue) {
        int count = store.leases().open(queue.name(), queue.shards());
        int wanted = queue.shards().orElse(count);
        if (wanted != count) {
            LOG.warn(
                    "queue {} has {} shards since it was created; the setting of {} changes nothing",
                    queue.name(),
                    count,
                    wanted);
        }
        shards.put(queue.name(), count);
        HandlerSettings handler = queue.handler();
        if (handler != null && handler.mode() == TodoMode.SEQUENTIAL && count > 1) {
            throw new IllegalStateException(
                    "queue %s must have 1 shard to run one todo at a time but has %d since it was created"
                            .formatted(queue.name(), count));
        }
        return count;
    }

    @Override
    public void start(List<Runnable> tending) {
        life.lock();
        try {
            if (closed) {
                throw new IllegalStateException("scheduler is closed and cannot be started again");
            }
            if (started) {
                return;
            }
            startLoops(tending);
            started = true;
        } finally {
            life.unlock();
        }
    }

    /** The one that takes shards comes late, so that nothing was delivered if a thread before it cannot be had. */
    private void startLoops(List<Runnable> tending) {
        try {
            housekeeping.tend(tending);
            if (!loops.isEmpty()) {
                loops.start();
                if (!handled.isEmpty()) {
                    leaseWatch = watchLeases();
                }
                ownership = watch.start("duetime-shards", owner);
            }
            purging = watch.startPatient("duetime-housekeeping", housekeeping);
        } catch (Throwable e) {
            undoLoops();
            throw e;
        }
    }

    private void undoLoops() {
        long now = clock.nanoTime();
        close(ownership, now);
        close(leaseWatch, now);
        close(purging, now);
        loops.undoStart();
    }

    /** Ends what was started, which can be started again: another host's engine could not be. */
    public void undoStart() {
        life.lock();
        try {
            if (started && !closed) {
                started = false;
                undoLoops();
            }
        } finally {
            life.unlock();
        }
    }

    private Clock.Loop watchLeases() {
        Clock.Loop loop = clock.start("duetime-lease-watch", new LeaseWatch(owner, clock, handled, loops));
        owner.whenRenewed(() -> loop.wakeAt(Instant.MIN));
        return loop;
    }

    @Override
    public void close() {
        if (!beginClose()) {
            return;
        }
        interrupt(clock.nanoTime() + node.closeTimeout().toNanos());
        // All of them together get as long as one would: what ignores an interrupt is not waited for one by one.
        QueueLoops.Ended ended = end(clock.nanoTime() + AFTER_INTERRUPT.toNanos());
        awaitFinish(beginFinish(ended), clock.nanoTime() + toFinish().toNanos());
    }

    /** Waits for what is under way, until the deadline, then interrupts it. */
    public void interrupt(long deadlineNanos) {
        loops.interrupt(() -> left(deadlineNanos));
        close(leaseWatch, deadlineNanos);
        close(ownership, deadlineNanos);
        close(purging, deadlineNanos);
    }

    /** Waits for what was interrupted, until the deadline; returns what is over. */
    public QueueLoops.Ended end(long deadlineNanos) {
        QueueLoops.Ended ended = loops.close(() -> left(deadlineNanos));
        close(ownership, deadlineNanos);
        close(purging, deadlineNanos);
        return ended;
    }

    /**
     * Begins to settle what is over and to give its shards back, in a thread of its own: a store that hangs holds up nobody who
     * closes.
     */
    public Future<?> beginFinish(QueueLoops.Ended ended) {
        return clock.run("duetime-close", () -> {
            try {
                finish(ended);
            } finally {
                owner.close();
            }
        });
    }

    private static void finish(QueueLoops.Ended ended) {
        ended.inPart().forEach(ServedQueue::settleOpen);
        for (ServedQueue queue : ended.whole()) {
            if (!queue.finish()) {
                return; // A store that is away answers no sooner for the next queue.
            }
        }
    }

    /** Returns how long a node that closes waits until the store has settled what is over and freed the shards. */
    public Duration toFinish() {
        Duration given = node.closeTimeout();
        if (given.compareTo(LEAST_TO_FINISH) < 0) {
            return LEAST_TO_FINISH;
        }
        return given.compareTo(MOST_TO_FINISH) < 0 ? given : MOST_TO_FINISH;
    }

    /** Waits until that is done, until the deadline. An interrupt shortens it not, and is restored. */
    public void awaitFinish(Future<?> finishing, long deadlineNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    finishing.get(left(deadlineNanos).toNanos(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    LOG.warn(
                            "the store has not answered within {} while this node closed: its shards come free with their"
                                    + " leases, and what is not settled is delivered again",
                            toFinish());
                    return;
                } catch (ExecutionException e) {
                    throw unchecked(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }

    /** Makes the loops after the running ones do nothing; returns whether nobody has begun to close before. */
    public boolean beginClose() {
        life.lock();
        try {
            boolean first = !closed;
            closed = true;
            loops.beginClose();
            housekeeping.close();
            return first;
        } finally {
            life.unlock();
        }
    }

    private void close(Clock.@Nullable Loop loop, long deadline) {
        if (loop != null) {
            loop.close(left(deadline));
        }
    }

    private Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - clock.nanoTime()));
    }

    @Override
    public boolean knows(String queue) {
        return queues.containsKey(queue);
    }

    @Override
    public Set<String> queues() {
        return Set.copyOf(queues.keySet());
    }

    @Override
    public int shards(String queue) {
        Integer opened = shards.get(queue);
        QueueSettings declared = queues.get(queue);
        return opened != null ? opened : declared == null ? 1 : open(declared);
    }

    @Override
    public long nextGeneration() {
        return generations.next();
    }

    @Override
    public void refreshClock() {
        if (clock instanceof StoreClock storeClock) {
            storeClock.refresh();
        }
    }

    @Override
    public void rejected(Timer timer, Instant expiresAt) {
        node.listeners().rejected(timer, expiresAt);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        List<NewTimer> given = context.addTo(timers);
        List<Merging.Stored> merged = List.of();
        List<ScheduleResult> results = List.of();
        boolean merges = merging.concerns(given);
        try {
            if (merges) {
                merged = merging.schedule(given, store);
            } else {
                results = combiner.schedule(given);
            }
        } catch (RuntimeException | Error e) {
            mayBeStored(given);
            throw e;
        }
        if (merges) {
            return told(given, merged, loops::wake);
        }
        earliest(given, results).forEach(loops::wake);
        return told(given, results);
    }

    /** Lets the loops look for timers whose write failed: the reply of a commit may have been lost. */
    public void mayBeStored(List<NewTimer> timers) {
        earliest(timers, each -> true).forEach(loops::wakeUncommitted);
    }

    private List<ScheduleResult> told(
            List<NewTimer> timers, List<Merging.Stored> stored, BiConsumer<String, Instant> wakes) {
        List<ScheduleResult> results =
                stored.stream().map(Merging.Stored::result).toList();
        earliest(stored.stream().map(Merging.Stored::written).toList(), results).forEach(wakes);
        return told(timers, results);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers, TimerWrites transaction) {
        List<NewTimer> given = context.addTo(timers);
        if (merging.concerns(given)) {
            return told(given, merging.schedule(given, transaction), loops::wakeUncommitted);
        }
        List<ScheduleResult> results = transaction.schedule(given);
        earliest(given, results).forEach(loops::wakeUncommitted);
        return told(given, results);
    }

    private List<ScheduleResult> told(List<NewTimer> timers, List<ScheduleResult> results) {
        for (int i = 0; i < results.size(); i++) {
            node.listeners().scheduled(results.get(i), timers.get(i).content());
            warnIfUnhandled(timers.get(i).content());
        }
        return results;
    }

    /** Says once that what was scheduled waits for another node, if this one delivers its queue and does not know its type. */
    private void warnIfUnhandled(TimerContent content) {
        QueueHandler handler = handlers.get(content.queue());
        if (handler != null
                && !handler.handles(content.type())
                && unhandled.size() < MOST_UNHANDLED
                && unhandled.add(content.queue() + " " + content.type())) {
            LOG.warn(
                    "type {} is scheduled on queue {}, whose handler here does not know it; it waits for a node that"
                            + " does",
                    content.type(),
                    content.queue());
        }
    }

    @Override
    public CancelResult cancel(TimerKey key, TimerWrites writes) {
        CancelResult result = cancel(key, writes, loops.deliveries(), clock.now());
        node.listeners().cancelled(key, result);
        return result;
    }

    /** Cancels a timer, unless one of the loops has the generation that stands in delivery. */
    public static CancelResult cancel(TimerKey key, TimerWrites writes, List<InFlight> loops, Instant now) {
        long[] inDelivery = loops.stream()
                .map(each -> each.beginCancel(key))
                .flatMapToLong(OptionalLong::stream)
                .toArray();
        try {
            // More than one if it moved from queue to queue: it is not known which of them stands.
            return inDelivery.length > 1
                    ? CancelResult.TOO_LATE
                    : writes.cancel(key, now, LongStream.of(inDelivery).findFirst());
        } finally {
            loops.forEach(each -> each.endCancel(key));
        }
    }

    @Override
    public long cancel(TimerQuery query) {
        return operations.bulk().cancel(query, count -> node.listeners().cancelled(query, count));
    }

    @Override
    public Operations operations() {
        return operations;
    }

    @Override
    public NodeListener listener() {
        return node.listeners();
    }

    @Override
    public Health health() {
        Instant now = clock.now();
        boolean running = (started || loops.isEmpty()) && !closed;
        Instant stuck = started && running ? Times.earliest(watch.stuckSince(), loops.stuckSince()) : null;
        return new Health(node.nodeId().toString(), now, running, owner.storeOutage(), stuck, loops.health(now));
    }

    /** Returns the earliest due time that was written, by queue, of what this node delivers. */
    private Map<String, Instant> earliest(List<NewTimer> timers, List<ScheduleResult> results) {
        return earliest(timers, i -> i < results.size() && results.get(i).state() == TimerState.SCHEDULED);
    }

    private Map<String, Instant> earliest(List<NewTimer> timers, IntPredicate isScheduled) {
        Map<String, Instant> earliest = new HashMap<>();
        Map<String, Set<Integer>> owned = new HashMap<>();
        for (int i = 0; i < timers.size(); i++) {
            NewTimer timer = timers.get(i);
            String queue = timer.content().queue();
            if (isScheduled.test(i)
                    && owned.computeIfAbsent(queue, owner::owned).contains(timer.shard())) {
                // One that recurs may have kept an occurrence that is overdue.
                boolean recurs = timer.content().recurrence() != null;
                Instant wakeAt = recurs ? timer.registeredAt() : timer.content().dueAt();
                earliest.merge(queue, wakeAt, Times::earlier);
            }
        }
        return earliest;
    }

    @Override
    public void resolvers(BiFunction<Timer, @Nullable Instant, NewTimer> resolver, UnaryOperator<Payload> limited) {
        schedules.resolvers(resolver, limited);
    }

    /** Returns what stores several timers in a transaction that others end, and tells of it afterwards. */
    public HandlerSchedules schedules() {
        return schedules;
    }

    public QueueLoops loops() {
        return loops;
    }

    public Clock clock() {
        return clock;
    }

    /** Returns whether its store was away when it was last asked for leases. */
    public boolean isAway() {
        return owner.storeOutage() != null;
    }
}

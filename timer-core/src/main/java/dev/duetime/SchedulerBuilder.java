package dev.duetime;

import dev.duetime.engine.Engine;
import dev.duetime.engine.hosts.HostNode;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settings.ContentRules;
import dev.duetime.engine.settings.NodeId;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.VirtualThreads;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.hosts.HostSet;
import dev.duetime.internal.Inside;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.internal.todo.AttachedQueue;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.TimerListener;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerStore;
import dev.duetime.store.Transaction;
import dev.duetime.todo.TodoQueue;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Scheduler}: a store and a publisher are enough. Each method checks what it is given. Not
 * thread-safe.
 */
public final class SchedulerBuilder {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);
    private static final int NODE_LENGTH = 200;
    private static final Duration LONGEST_CLOSE = Duration.ofHours(1);

    private final QueueBuilders queues = new QueueBuilders();
    private @Nullable TimerStore store;
    private @Nullable Clock clock;
    private @Nullable Clock carrier;
    private boolean hints = true;
    private @Nullable ThreadFactory threads;
    private PayloadCodec codec = JacksonCodec.standard();
    private final List<TimerListener> listeners = new ArrayList<>();
    private final List<TodoQueue> todoQueues = new ArrayList<>();
    private final List<SchedulerExtension> extensions = new ArrayList<>();
    private Propagation propagation = Propagation.NONE;
    private Supplier<Optional<Transaction>> callersTransaction = Optional::empty;
    private RandomGenerator random = new SecureRandom();
    private @Nullable String nodeId;
    private Duration leaseDuration = Duration.ofSeconds(10);
    private Duration closeTimeout = Duration.ofSeconds(10);
    private Duration unknownTypesFor = Duration.ofDays(1);
    private @Nullable Duration occurrenceHistory;
    private int maxPayloadBytes = Limits.PAYLOAD_BYTES;

    SchedulerBuilder() {}

    /**
     * Sets where timers are kept; required. It is a {@link ScheduleStore}, or a {@link HostSet}, whose hosts have loops
     * of their own.
     *
     * @throws IllegalArgumentException if {@code store} is null or neither of both
     */
    public SchedulerBuilder store(TimerStore store) {
        if (!(Limits.given("store", store) instanceof ScheduleStore || store instanceof HostSet)) {
            throw new LimitException(
                    "store",
                    "store must be a ScheduleStore or a HostSet but was a "
                            + store.getClass().getName());
        }
        this.store = store;
        return this;
    }

    /**
     * Sets where due timers of the queue {@value Timer#DEFAULT_QUEUE} go. Without one, this node schedules and leaves
     * delivery to others.
     *
     * @throws IllegalArgumentException if {@code publisher} is null
     */
    public SchedulerBuilder publisher(Publisher publisher) {
        queues.defaults().publisher(publisher);
        return this;
    }

    /**
     * Adds a queue, or sets up the default one. Timers can be scheduled only on queues that were added.
     *
     * @throws IllegalArgumentException if the name is null, empty, longer than 64 characters or has control characters,
     *     or {@code settings} is null
     */
    public SchedulerBuilder queue(String name, Consumer<QueueBuilder> settings) {
        Limits.given("settings", settings).accept(queues.queue(Limits.name("queue", name, Limits.QUEUE_LENGTH)));
        return this;
    }

    /**
     * Sets up a type of timers on all queues: deadline and retries. Other types follow the settings of their queue. On
     * a queue, a setting of {@link QueueBuilder#type} wins.
     *
     * @throws IllegalArgumentException if the name is null, empty, longer than 255 characters or has control
     *     characters, or {@code settings} is null
     */
    public SchedulerBuilder type(String name, Consumer<TypeBuilder> settings) {
        Limits.given("settings", settings).accept(queues.type(Limits.text("type", name, Limits.NAME_LENGTH)));
        return this;
    }

    /**
     * Sets the polling interval of all queues that do not set their own; see {@link QueueBuilder#pollInterval}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder pollInterval(Duration pollInterval) {
        queues.defaults().pollInterval(pollInterval);
        return this;
    }

    /**
     * Sets the batch size of all queues that do not set their own; see {@link QueueBuilder#batchSize}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder batchSize(int batchSize) {
        queues.defaults().batchSize(batchSize);
        return this;
    }

    /**
     * Sets how many calls of a publisher run at once, for all queues that do not set their own; see {@link
     * QueueBuilder#concurrency}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder concurrency(int concurrency) {
        queues.defaults().concurrency(concurrency);
        return this;
    }

    /**
     * Sets the number of shards of new queues that do not set their own; see {@link QueueBuilder#shards}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder shards(int shards) {
        queues.defaults().shards(shards);
        return this;
    }

    /**
     * Sets the retention of all queues that do not set their own; see {@link QueueBuilder#retention}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder retention(Duration retention) {
        queues.defaults().retention(retention);
        return this;
    }

    /**
     * Sets the retry policy of all queues that do not set their own; see {@link QueueBuilder#retry}.
     *
     * @throws IllegalArgumentException if {@code retry} is null
     */
    public SchedulerBuilder retry(RetryPolicy retry) {
        queues.defaults().retry(retry);
        return this;
    }

    /**
     * Sets how long timers are worth delivering, on all queues that do not set their own; see {@link
     * QueueBuilder#validFor}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder validFor(Duration validFor) {
        queues.defaults().validFor(validFor);
        return this;
    }

    /**
     * Sets how long a timer or todo waits for a node that knows its type, or its current step, before it ends as dead;
     * 1 day by default, 0 to 365 days. A node that does not know it puts it off, without an attempt.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder unknownTypesFor(Duration unknownTypesFor) {
        this.unknownTypesFor = Limits.duration("unknownTypesFor", unknownTypesFor, Duration.ZERO, Duration.ofDays(365));
        return this;
    }

    /**
     * Keeps a history of recurring timers: what became of each occurrence, when, and after how many attempts. It is
     * kept for the given time, 1 minute to 3,650 days; by default there is none. Each occurrence costs one row. It is
     * written within a second after the occurrence, by the node that delivered it. A node that crashes meanwhile leaves
     * it out. {@link dev.duetime.admin.TimerViews#occurrences} shows it.
     *
     * @throws IllegalArgumentException if it is null or out of range
     */
    public SchedulerBuilder occurrenceHistory(Duration retention) {
        occurrenceHistory =
                Limits.duration("occurrenceHistory", retention, Duration.ofMinutes(1), Duration.ofDays(3_650));
        return this;
    }

    /**
     * Sets what encodes payloads; JSON by Jackson by default.
     *
     * @throws IllegalArgumentException if {@code codec} is null
     */
    public SchedulerBuilder codec(PayloadCodec codec) {
        this.codec = Limits.given("codec", codec);
        return this;
    }

    /**
     * Sets the largest encoded payload; 1 MiB by default and at most, at least 1 byte.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder maxPayloadBytes(int maxPayloadBytes) {
        this.maxPayloadBytes = Limits.number("maxPayloadBytes", maxPayloadBytes, 1, Limits.PAYLOAD_BYTES);
        return this;
    }

    /**
     * Adds a listener to events of timers, and if it is a {@link NodeListener} also of this node; none by default.
     * Several listeners are called in the order in which they were added.
     *
     * @throws IllegalArgumentException if {@code listener} is null
     */
    public SchedulerBuilder listener(TimerListener listener) {
        listeners.add(Limits.given("listener", listener));
        return this;
    }

    /**
     * Adds an extension, such as the passage of time, and lets it set up its queues at once. Later settings of these
     * queues win. None by default.
     *
     * @throws IllegalArgumentException if {@code extension} is null, if one of the same name was added, or as it says
     */
    public SchedulerBuilder extension(SchedulerExtension extension) {
        String name = Limits.given("extension", extension).name();
        if (extensions.stream().anyMatch(each -> each.name().equals(name))) {
            throw new LimitException("extension", "extension must be added once but was again: " + name);
        }
        extension.configure(this);
        extensions.add(extension);
        return this;
    }

    /**
     * Adds a todo queue. This node runs its todos, unless the queue is for enqueueing only. Later settings for the
     * queue of that name, by {@link #queue}, replace those of the todo queue. None by default.
     *
     * @throws IllegalArgumentException if {@code queue} is null, or one of the same name was added
     */
    @Beta
    public SchedulerBuilder todoQueue(TodoQueue queue) {
        String name = Limits.given("todoQueue", queue).name();
        if (todoQueues.stream().anyMatch(each -> each.name().equals(name))) {
            throw new LimitException("todoQueue", "todoQueue must be added once but was again: " + name);
        }
        queue(
                name,
                settings -> QueueBuilders.setUp(
                        settings, Inside.of(queue, AttachedQueue.class).settings()));
        todoQueues.add(queue);
        return this;
    }

    /**
     * Sets what adds the caller's context to the headers of what is scheduled, such as that of a trace; nothing by
     * default.
     *
     * @throws IllegalArgumentException if {@code propagation} is null
     */
    public SchedulerBuilder propagation(Propagation propagation) {
        this.propagation = Limits.given("propagation", propagation);
        return this;
    }

    /**
     * Sets a function that finds the transaction of the calling thread, for frameworks that keep one for each thread.
     * Todo queues and to-do lists join it automatically. By default it finds none, so that each of their calls commits
     * by itself.
     *
     * @param transaction called by each thread that uses them; must be thread-safe
     * @throws IllegalArgumentException if {@code transaction} is null
     */
    public SchedulerBuilder callersTransaction(Supplier<Optional<Transaction>> transaction) {
        this.callersTransaction = Limits.given("callersTransaction", transaction);
        return this;
    }

    /**
     * Sets how long a node keeps its shards after its last renewal, before other nodes take over; 10 s by default, 100
     * ms to 1 h. The node renews its leases three times in that span.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder leaseDuration(Duration leaseDuration) {
        this.leaseDuration = Limits.duration("leaseDuration", leaseDuration, SHORTEST_LEASE, LONGEST_LEASE);
        return this;
    }

    /**
     * Sets how long {@code close} lets deliveries finish before it interrupts them, and waits another second at most;
     * 10 s by default, 0 to 1 h.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SchedulerBuilder closeTimeout(Duration closeTimeout) {
        this.closeTimeout = Limits.duration("closeTimeout", closeTimeout, Duration.ZERO, LONGEST_CLOSE);
        return this;
    }

    /**
     * Sets this node's name; process and host by default. A random part is added, so that each scheduler is an owner of
     * its own. If a scheduler has crashed, the next one of the same name takes its shards over at once, without waiting
     * for the lease to end. So do not give one name to schedulers that run at the same time: the later one would first
     * take the shards of the earlier one, and both would deliver from them until the next renewal.
     *
     * @throws IllegalArgumentException if it is null, empty, longer than 200 characters or has control characters
     */
    public SchedulerBuilder nodeId(String nodeId) {
        this.nodeId = Limits.name("nodeId", nodeId, NODE_LENGTH);
        return this;
    }

    /**
     * Sets the clock, for tests; the database's time by default, so that no node's clock matters.
     *
     * @throws IllegalArgumentException if {@code clock} is null
     */
    public SchedulerBuilder clock(Clock clock) {
        this.clock = Limits.given("clock", clock);
        return this;
    }

    /**
     * Sets the clock that runs the loops, and carries the database's time from one sample to the next by its
     * {@linkplain Clock#nanoTime monotonic count}; for simulations. The clock of this process by default. Not used with
     * a {@link #clock} of your own.
     *
     * @throws IllegalArgumentException if {@code carrier} is null
     */
    public SchedulerBuilder carrier(Clock carrier) {
        this.carrier = Limits.given("carrier", carrier);
        return this;
    }

    /**
     * Sets the factory of the engine's threads: up to seven for the node and up to two for each queue. A queue with a
     * handler also has its workers. A queue with a {@link QueueBuilder#concurrency} of n > 1 has up to n more. A {@link
     * HostSet} has all of these for each host. Daemon threads by default, virtual ones are fine. Not used with a
     * {@link #clock} or {@link #carrier} of your own.
     *
     * @throws IllegalArgumentException if {@code threads} is null
     */
    public SchedulerBuilder threadFactory(ThreadFactory threads) {
        this.threads = Limits.given("threads", threads);
        return this;
    }

    /**
     * Makes the loops, the calls of publishers and the workers run in virtual threads instead of platform threads; not
     * so by default. Needs Java 21 or later, and Java 24 or later if your code blocks inside {@code synchronized}. The
     * same as {@link #threadFactory} with a factory of virtual threads; the later call of both wins.
     *
     * @throws IllegalStateException if this JVM has no virtual threads
     */
    public SchedulerBuilder virtualThreads() {
        return threadFactory(VirtualThreads.factory());
    }

    /**
     * Sets whether this node sends hints to the owners of other shards, and reads theirs; true by default. Without
     * hints, timers that other nodes scheduled wait for the poll, and nodes that share shards ask for free ones every
     * 250 ms. Set the same on all nodes.
     */
    public SchedulerBuilder hints(boolean hints) {
        this.hints = hints;
        return this;
    }

    /**
     * Sets the source of random numbers, for tests that repeat a seed; a {@link SecureRandom} by default. Must be
     * thread-safe.
     *
     * @throws IllegalArgumentException if {@code random} is null
     */
    public SchedulerBuilder random(RandomGenerator random) {
        this.random = Limits.given("random", random);
        return this;
    }

    /**
     * Returns the scheduler, ready to schedule; {@link Scheduler#start} makes it deliver.
     *
     * @throws IllegalStateException if no store is set
     * @throws StoreException if the database failed: the queues are opened here
     */
    public Scheduler build() {
        if (store == null) {
            throw new IllegalStateException("store must be set, for example store(JdbcScheduleStore.of(dataSource))");
        }
        Scheduler scheduler = on(store, node(), queues.build(unknownTypesFor, stores(store)));
        scheduler.joins(callersTransaction);
        Supplier<Timers> timers =
                () -> scheduler.callersTransaction().<Timers>map(scheduler::in).orElse(scheduler);
        todoQueues.forEach(each -> Inside.of(each, AttachedQueue.class).attach(timers, scheduler::in));
        extensions.forEach(each -> each.attach(scheduler));
        return scheduler;
    }

    private static int stores(TimerStore timers) {
        return timers instanceof HostSet hosts
                ? Inside.of(hosts, Hosts.class).oldestFirst().size()
                : 1;
    }

    private Scheduler on(TimerStore timers, NodeSettings node, List<QueueSettings> settings) {
        Clock carried = clock != null ? clock : carrier();
        if (timers instanceof HostSet hosts) {
            HostNode engines = new HostNode(hosts, carried, clock == null, node, settings);
            return new Scheduler(timers, engines.clock(), engines, codec, extensions);
        }
        ScheduleStore one = (ScheduleStore) timers;
        Clock time = clock != null ? clock : new StoreClock(carried, one.leases());
        return new Scheduler(one, time, new Engine(one, time, node, settings), codec, extensions);
    }

    private NodeSettings node() {
        return new NodeSettings(
                id(),
                leaseDuration,
                closeTimeout,
                new ContentRules(codec, maxPayloadBytes, queues.deadlines(), queues.todoQueues()),
                propagation,
                new Listeners(listeners),
                hints,
                random,
                occurrenceHistory);
    }

    private Clock carrier() {
        if (carrier != null) {
            return carrier;
        }
        return threads != null ? new SystemClock(threads) : new SystemClock();
    }

    /** The default is process and host, as the JVM reports them. */
    private NodeId id() {
        String name =
                nodeId != null ? nodeId : ManagementFactory.getRuntimeMXBean().getName();
        return NodeId.of(name, nodeId != null, random.nextInt());
    }
}

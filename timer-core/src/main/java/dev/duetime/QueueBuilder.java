package dev.duetime;

import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueHandler;
import dev.duetime.engine.settings.QueueLimits;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.ReadBytes;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.engine.settings.TimerMerge;
import dev.duetime.internal.Limits;
import dev.duetime.internal.RetryRule;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue: {@code Scheduler.builder().queue("mail", queue -> queue.publisher(mailer).batchSize(50))}.
 * A setting that is not made here is as on the scheduler, except for the publisher. Each method checks what it is
 * given. Not thread-safe.
 */
public final class QueueBuilder {
    static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
    static final int BATCH_SIZE = 500;
    static final Duration RETENTION = Duration.ofDays(7);
    static final RetryPolicy RETRY = RetryPolicy.standard();

    private static final Duration SHORTEST_POLL = Duration.ofMillis(1);
    private static final Duration LONGEST_POLL = Duration.ofHours(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);
    private static final int LARGEST_BATCH = 10_000;
    private static final int MOST_SHARDS = 500;
    private static final int MOST_CALLS = 1_000;
    private static final int MOST_PERMITS = 1_000_000;

    private final String name;
    private final boolean isDefault;
    private final Map<String, TimerMerge> merges = new HashMap<>();
    private final Map<String, TypeBuilder> types = new HashMap<>();
    private @Nullable HandlerSettings handler;
    private boolean ofTodos;
    private @Nullable Publisher publisher;
    private @Nullable Duration pollInterval;
    private @Nullable Integer batchSize;
    private @Nullable Integer concurrency;
    private @Nullable Integer shards;
    private @Nullable Duration retention;
    private @Nullable RetryPolicy retry;
    private @Nullable Duration validFor;
    private @Nullable Integer concurrencyLimit;
    private @Nullable RateLimit rateLimit;
    private @Nullable RateLimit tenantRateLimit;
    private @Nullable Integer parallelKeyLimit;

    QueueBuilder(String name) {
        this.name = Limits.name("queue", name, Limits.QUEUE_LENGTH);
        this.isDefault = name.equals(Timer.DEFAULT_QUEUE);
    }

    /**
     * Sets where due timers go. Without one, this node schedules on the queue and leaves delivery to others.
     *
     * @throws IllegalArgumentException if {@code publisher} is null
     */
    public QueueBuilder publisher(Publisher publisher) {
        this.publisher = Limits.given("publisher", publisher);
        return this;
    }

    /**
     * Sets the longest time between two polls for timers that other nodes scheduled; 5 s by default, 1 ms to 1 h. It is
     * not the precision: the loop wakes at the next due time that it knows, and when a timer is scheduled on its own
     * node.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = Limits.duration("pollInterval", pollInterval, SHORTEST_POLL, LONGEST_POLL);
        return this;
    }

    /**
     * Sets how many timers are published at once, at most; 500 by default, 1 to 10,000. Bounds memory: while a
     * backlog goes through quickly, up to eight times as many are read and settled at once. While nothing gets through
     * at all, it is up to four times as many.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder batchSize(int batchSize) {
        this.batchSize = Limits.number("batchSize", batchSize, 1, LARGEST_BATCH);
        return this;
    }

    /**
     * Sets how many calls of the publisher run at once on each node, at most; 1 by default, 1 to 1,000. What is due is
     * divided evenly among the free calls, up to {@link #batchSize} timers for each. Two calls never hold timers of one
     * parallel key, unless {@link #parallelKeyLimit} allows it. Timers without a parallel key are delivered in no
     * particular order if it is more than 1. The publisher must then be thread-safe. If a call fails as a whole, calls
     * are made one by one until one succeeds, so that the envelope that fails is found. A tenant and type whose calls
     * last much longer than those of others never gets all calls. Todo queues have workers instead.
     *
     * @see SchedulerBuilder#virtualThreads
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder concurrency(int concurrency) {
        this.concurrency = Limits.number("concurrency", concurrency, 1, MOST_CALLS);
        return this;
    }

    /**
     * Sets how many shards the queue gets when it is seen for the first time, 1 to 500; by default 64 on a database
     * server and 4 on an embedded one. Later settings change nothing: the number is fixed.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder shards(int shards) {
        this.shards = Limits.number("shards", shards, 1, MOST_SHARDS);
        return this;
    }

    /**
     * Sets how long ended timers answer {@code find} and make a repeated {@code schedule} {@linkplain
     * ScheduleOutcome#IGNORED ignored}; 7 days by default, 0 to 36,500 days. Zero deletes timers when they are
     * delivered, which is fastest, and lets a late repeat fire again. Dead timers are kept in any case.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder retention(Duration retention) {
        this.retention = Limits.duration("retention", retention, Duration.ZERO, LONGEST_RETENTION);
        return this;
    }

    /**
     * Sets when a delivery that failed while others got through is retried, for types that do not {@linkplain
     * TypeBuilder#retry set their own}; exponential from 1 s to 5 min, without end, by default.
     *
     * @throws IllegalArgumentException if {@code retry} is null
     */
    public QueueBuilder retry(RetryPolicy retry) {
        this.retry = Limits.given("retry", retry);
        return this;
    }

    /**
     * Sets how long after its due time a timer is still worth delivering, if neither it nor its {@linkplain
     * TypeBuilder#validFor type} says so; for ever by default. Otherwise as {@link Timer.Builder#validFor}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder validFor(Duration validFor) {
        this.validFor = Limits.validFor(validFor);
        return this;
    }

    /**
     * Limits how many timers of the queue are in delivery at once, on all nodes together; any number by default. The
     * nodes divide the number by what they have due, and a node that waits for its part delivers nothing meanwhile. A
     * timer that waits spends no attempt. Set the same limit on all nodes; while they differ, the smaller one holds.
     *
     * @param most 1 to 1,000,000
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder concurrencyLimit(int most) {
        this.concurrencyLimit = concurrencyOf(most);
        return this;
    }

    static int concurrencyOf(int most) {
        return Limits.number("concurrencyLimit", most, 1, MOST_PERMITS);
    }

    /**
     * Limits how many timers of the queue begin in a time, on all nodes together; any number by default. Retries count,
     * too. Otherwise as {@link #concurrencyLimit}.
     *
     * @throws IllegalArgumentException if {@code limit} is null
     */
    public QueueBuilder rateLimit(RateLimit limit) {
        this.rateLimit = Limits.given("rateLimit", limit);
        return this;
    }

    /**
     * Limits how many timers of each tenant begin in a time, on all nodes together; any number by default. Each tenant
     * has the whole limit for itself. Otherwise as {@link #rateLimit}.
     *
     * <p>No tenant exceeds its rate. Each keeps what it has left when a node begins to use the rate, closes or
     * restarts. If a node crashes, all that it held counts as used until its lease ends, for all tenants. If the burst
     * is smaller than the number of nodes, they take turns of 5 s.
     *
     * @throws IllegalArgumentException if {@code limit} is null
     */
    public QueueBuilder tenantRateLimit(RateLimit limit) {
        this.tenantRateLimit = Limits.given("tenantRateLimit", limit);
        return this;
    }

    /**
     * Sets how many calls of the publisher may hold timers of one parallel key at once, on all nodes together; 1 by
     * default, 1 to 1,000. With more, the timers of a key are delivered in no particular order. It matters only with a
     * {@link #concurrency} above 1. A todo queue runs as many todos of a key at once.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder parallelKeyLimit(int most) {
        this.parallelKeyLimit = Limits.number("parallelKeyLimit", most, 1, MOST_CALLS);
        return this;
    }

    /**
     * Sets up a type of timers on this queue alone; what is not set here is as {@link SchedulerBuilder#type} says.
     *
     * @throws IllegalArgumentException if the name is null, empty, longer than 255 characters or has control characters
     */
    public QueueBuilder type(String name, Consumer<TypeBuilder> settings) {
        String type = Limits.text("type", name, Limits.NAME_LENGTH);
        settings.accept(types.computeIfAbsent(type, unknown -> new TypeBuilder()));
        return this;
    }

    /** Makes it a queue that takes todos only, here or on other nodes. */
    void ofTodos() {
        ofTodos = true;
    }

    /** Sets what runs the todos of the queue, instead of a {@link #publisher}. */
    void handler(QueueHandler todos, TodoMode mode, int workers, @Nullable Duration timeLimit) {
        handler = new HandlerSettings(todos, mode, workers, timeLimit);
        if (mode == TodoMode.SEQUENTIAL) {
            shards = 1;
        }
    }

    /**
     * Sets the merge of a type. If a timer of the type arrives while another one with its correlation key waits, the
     * merge decides between the two.
     */
    void merge(String type, TimerMerge merge) {
        merges.put(type, merge);
    }

    /** Returns whether it takes todos only, here or on other nodes. */
    boolean isOfTodos() {
        return ofTodos;
    }

    @Nullable
    Duration validFor() {
        return validFor;
    }

    /** Returns how long timers are worth delivering, by the types that are set up for this queue alone. */
    Map<String, Duration> validForByType() {
        return QueueBuilders.given(types, TypeBuilder::validFor);
    }

    /** Returns the settings; what is not set here is as in {@code defaults}. */
    QueueSettings build(QueueBuilder defaults, Map<String, TypeBuilder> typesOfAll, Duration unknownTypesFor) {
        boolean isPublished = publisher != null || (isDefault && defaults.publisher != null);
        if (isPublished && (handler != null || ofTodos)) {
            throw new IllegalStateException("queue " + name + " must have a publisher or a handler but has both");
        }
        Map<String, RetryPolicy> retries = new HashMap<>(QueueBuilders.given(typesOfAll, TypeBuilder::retry));
        retries.putAll(QueueBuilders.given(types, TypeBuilder::retry));
        Map<String, RetryRule> rules = new HashMap<>();
        retries.forEach((type, policy) -> rules.put(type, policy.rule()));
        Integer count = shards != null ? shards : defaults.shards;
        return new QueueSettings(
                name,
                publisher != null ? publisher : isDefault ? defaults.publisher : null,
                handler,
                merges,
                first(pollInterval, defaults.pollInterval, POLL_INTERVAL),
                first(batchSize, defaults.batchSize, BATCH_SIZE),
                first(concurrency, defaults.concurrency, 1),
                count == null ? OptionalInt.empty() : OptionalInt.of(count),
                first(retention, defaults.retention, RETENTION),
                new RetryPolicies(first(retry, defaults.retry, RETRY).rule(), rules, unknownTypesFor),
                limits(typesOfAll),
                ReadBytes.of(1));
    }

    private QueueLimits limits(Map<String, TypeBuilder> typesOfAll) {
        Map<String, QueueLimits.OfType> byType = new HashMap<>();
        Stream.of(typesOfAll, types)
                .forEach(some -> some.forEach((type, settings) -> {
                    QueueLimits.OfType before = byType.getOrDefault(type, new QueueLimits.OfType(null, null));
                    byType.put(
                            type,
                            new QueueLimits.OfType(
                                    settings.concurrencyLimit() != null
                                            ? settings.concurrencyLimit()
                                            : before.concurrency(),
                                    settings.rateLimit() != null ? settings.rateLimit() : before.rate()));
                }));
        return new QueueLimits(
                concurrencyLimit, rateLimit, tenantRateLimit, parallelKeyLimit == null ? 1 : parallelKeyLimit, byType);
    }

    private static <T> T first(@Nullable T own, @Nullable T general, T standard) {
        return own != null ? own : general != null ? general : standard;
    }
}

package dev.duetime;

import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.internal.Limits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sets up one queue: {@code Scheduler.builder().queue("mail", queue -> queue.publisher(mailer).batchSize(50))}. What is not
 * set here, but for the publisher, is as set on the scheduler. Each method checks what it is given. Not thread-safe.
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
    /** SQLite takes no more parts in one statement. */
    private static final int MOST_WORKERS = 1_000;

    private static final int MOST_SHARDS = 500;

    private final String name;
    private final boolean isDefault;
    private final Map<String, TimerMerge> merges = new HashMap<>();
    private final Map<String, TypeBuilder> types = new HashMap<>();
    private @Nullable HandlerSettings handler;
    private boolean handledElsewhere;
    private @Nullable Publisher publisher;
    private @Nullable Duration pollInterval;
    private @Nullable Integer batchSize;
    private @Nullable Integer shards;
    private @Nullable Duration retention;
    private @Nullable RetryPolicy retry;
    private @Nullable Duration validFor;

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
     * Sets the longest wait between two looks for timers that other nodes scheduled; 5 s by default, 1 ms to 1 h. It is not
     * the precision: the loop wakes at the next due time that it knows, and for whatever is scheduled on its own node.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = Limits.duration("pollInterval", pollInterval, SHORTEST_POLL, LONGEST_POLL);
        return this;
    }

    /**
     * Sets how many timers are published at once, at most; 500 by default, 1 to 10,000. Bounds memory: up to four times
     * as many are read and settled at once, while a backlog goes through quickly or nothing gets through at all.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public QueueBuilder batchSize(int batchSize) {
        this.batchSize = Limits.number("batchSize", batchSize, 1, LARGEST_BATCH);
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
     * Sets when a delivery that failed while others got through is tried again, for types that do not {@linkplain
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
        this.validFor = Deadlines.checked(validFor);
        return this;
    }

    /**
     * Sets what runs the todos of the queue, instead of a {@link #publisher}. The typed form is {@code
     * dev.duetime.todo.TodoQueue}.
     *
     * @param handler called by several threads at once
     * @param mode which todos may run at the same time; {@link TodoMode#SEQUENTIAL} gives a new queue one shard
     * @param workers how many run at the same time on this node, 1 to 1,000
     * @param timeLimit how long a step may take before its thread is interrupted and the attempt has failed, 1 ms to 365 days;
     *     null for ever
     * @throws IllegalArgumentException if an argument is null, but for the limit, or out of range
     */
    public QueueBuilder handler(QueueHandler handler, TodoMode mode, int workers, @Nullable Duration timeLimit) {
        Limits.given("handler", handler);
        Limits.given("mode", mode);
        Limits.number("workers", workers, 1, MOST_WORKERS);
        if (timeLimit != null) {
            Limits.duration("timeLimit", timeLimit, Backoff.SHORTEST, Duration.ofDays(365));
        }
        this.handler = new HandlerSettings(handler, mode, workers, timeLimit);
        if (mode == TodoMode.SEQUENTIAL) {
            shards = 1;
        }
        return this;
    }

    /**
     * Leaves the todos of the queue to the handlers of other nodes: this node only schedules them.
     *
     * @param mode as those nodes set it; {@link TodoMode#SEQUENTIAL} gives a new queue one shard
     * @throws IllegalArgumentException if {@code mode} is null
     */
    public QueueBuilder handledElsewhere(TodoMode mode) {
        if (Limits.given("mode", mode) == TodoMode.SEQUENTIAL) {
            shards = 1;
        }
        handledElsewhere = true;
        return this;
    }

    /**
     * Sets what decides, for timers of a type that have a {@linkplain Timer.Builder#correlationKey correlation key}, what
     * becomes of one that is scheduled while another of that key waits in this queue; both are kept by default. Must be set on
     * all nodes that schedule.
     *
     * @throws IllegalArgumentException if the type is out of bounds or {@code merge} is null
     */
    public QueueBuilder merge(String type, TimerMerge merge) {
        merges.put(Limits.text("type", type, Limits.NAME_LENGTH), Limits.given("merge", merge));
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

    @Nullable
    Duration validFor() {
        return validFor;
    }

    /** Returns how long timers are worth delivering, by the types that are set up for this queue alone. */
    Map<String, Duration> validForByType() {
        return TypeBuilder.given(types, TypeBuilder::validFor);
    }

    /** Returns the settings; what is not set here is as in {@code defaults}. */
    QueueSettings build(QueueBuilder defaults, Map<String, RetryPolicy> retryByType, Duration unknownTypesFor) {
        boolean isPublished = publisher != null || (isDefault && defaults.publisher != null);
        if (isPublished && (handler != null || handledElsewhere)) {
            throw new IllegalStateException("queue " + name + " must have a publisher or a handler but has both");
        }
        Map<String, RetryPolicy> retries = new HashMap<>(retryByType);
        retries.putAll(TypeBuilder.given(types, TypeBuilder::retry));
        Integer count = shards != null ? shards : defaults.shards;
        return new QueueSettings(
                name,
                publisher != null ? publisher : isDefault ? defaults.publisher : null,
                handler,
                merges,
                first(pollInterval, defaults.pollInterval, POLL_INTERVAL),
                first(batchSize, defaults.batchSize, BATCH_SIZE),
                count == null ? OptionalInt.empty() : OptionalInt.of(count),
                first(retention, defaults.retention, RETENTION),
                new RetryPolicies(first(retry, defaults.retry, RETRY), retries, unknownTypesFor));
    }

    private static <T> T first(@Nullable T own, @Nullable T general, T standard) {
        return own != null ? own : general != null ? general : standard;
    }
}

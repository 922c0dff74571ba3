package dev.duetime;

import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueHandler;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.engine.settings.TimerMerge;
import dev.duetime.engine.settings.TypedHandler;
import dev.duetime.engine.settings.TypedMerge;
import dev.duetime.internal.Limits;
import dev.duetime.internal.RetryRule;
import dev.duetime.internal.todo.TodoSettings;
import dev.duetime.internal.todo.TodoType;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
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

    private final String name;
    private final boolean isDefault;
    private final Map<String, TimerMerge> merges = new HashMap<>();
    private final Map<String, TypeBuilder> types = new HashMap<>();
    private @Nullable HandlerSettings handler;
    private boolean ofTodos;
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
     * Sets up a type of timers on this queue alone; what is not set here is as {@link SchedulerBuilder#type} says.
     *
     * @throws IllegalArgumentException if the name is null, empty, longer than 255 characters or has control characters
     */
    public QueueBuilder type(String name, Consumer<TypeBuilder> settings) {
        String type = Limits.text("type", name, Limits.NAME_LENGTH);
        settings.accept(types.computeIfAbsent(type, unknown -> new TypeBuilder()));
        return this;
    }

    /** Sets the queue up for todos: their handlers, merges and settings. */
    void todos(TodoSettings queue) {
        ofTodos = true;
        retry = queue.retry();
        queue.types().values().forEach(this::type);
        if (!queue.enqueuesOnly()) {
            handler(new TypedHandler(queue.types()), queue.mode(), queue.workers(), queue.timeLimit());
        } else {
            oneShardIfSequential(queue.mode());
        }
    }

    private void type(TodoType<?> type) {
        TimerMerge merge = TypedMerge.of(type);
        if (merge != null) {
            merge(type.name(), merge);
        }
        type(type.name(), settings -> {
            if (type.retry() != null) {
                settings.retry(type.retry());
            }
            if (type.validFor() != null) {
                settings.validFor(type.validFor());
            }
        });
    }

    /** Sets what runs the todos of the queue, instead of a {@link #publisher}. */
    void handler(QueueHandler todos, TodoMode mode, int workers, @Nullable Duration timeLimit) {
        handler = new HandlerSettings(todos, mode, workers, timeLimit);
        oneShardIfSequential(mode);
    }

    private void oneShardIfSequential(TodoMode mode) {
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
    QueueSettings build(QueueBuilder defaults, Map<String, RetryPolicy> retryByType, Duration unknownTypesFor) {
        boolean isPublished = publisher != null || (isDefault && defaults.publisher != null);
        if (isPublished && (handler != null || ofTodos)) {
            throw new IllegalStateException("queue " + name + " must have a publisher or a handler but has both");
        }
        Map<String, RetryPolicy> retries = new HashMap<>(retryByType);
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
                count == null ? OptionalInt.empty() : OptionalInt.of(count),
                first(retention, defaults.retention, RETENTION),
                new RetryPolicies(first(retry, defaults.retry, RETRY).rule(), rules, unknownTypesFor));
    }

    private static <T> T first(@Nullable T own, @Nullable T general, T standard) {
        return own != null ? own : general != null ? general : standard;
    }
}

package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.RateLimit;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.internal.Inside;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.timer.TodoPayload;
import dev.duetime.internal.todo.AttachedQueue;
import dev.duetime.internal.todo.TodoLimits;
import dev.duetime.internal.todo.TodoSettings;
import dev.duetime.internal.todo.TodoType;
import dev.duetime.store.Transaction;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A durable queue of todos. The handler of a todo's type runs it in this process, now or later, at least once, step
 * by step, with retries. The node that owns its shard runs it.
 *
 * <pre>{@code
 * TodoQueue mails = TodoQueue.builder("mails")
 *         .type("welcome", Welcome.class, (todo, run) -> {
 *             mailer.send(todo.payload());
 *             return Outcome.complete();
 *         })
 *         .build();
 * Scheduler scheduler = Scheduler.builder().store(store).todoQueue(mails).build();
 * scheduler.start();
 *
 * mails.enqueue(NewTodo.of("welcome", new Welcome(userId)).id("welcome-" + userId));
 * }</pre>
 *
 * <p>The queue works through the scheduler that it was added to, before or after the scheduler is started. If it was
 * added to several, the one that was built last counts. Thread-safe, if its handlers are. The pattern is the todo
 * queue of Azos.
 */
@Beta
public final class TodoQueue implements Todos {
    static {
        Inside.<TodoQueue>open(TodoQueue.class, queue -> queue.new Opened());
    }

    private final String name;
    private final TodoSettings settings;

    // Mutable state, set whenever a scheduler is built.
    private volatile @Nullable Attached attached;

    private record Attached(Supplier<Timers> timers, Function<Transaction, Timers> joined) {}

    private TodoQueue(String name, TodoSettings settings) {
        this.name = name;
        this.settings = settings;
    }

    /**
     * Begins a queue.
     *
     * @param name 1 to 64 characters without control characters
     * @throws IllegalArgumentException if the name is null, empty, too long, or has control or invisible characters
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Returns the name of the queue. */
    public String name() {
        return name;
    }

    /**
     * Returns the key of a todo of the default tenant, by which the scheduler finds and cancels it: {@code
     * scheduler.cancel(mails.key("welcome-17"))}.
     *
     * @throws IllegalArgumentException as {@link TimerKey}
     */
    public TimerKey key(String id) {
        return key(TimerKey.DEFAULT_TENANT, id);
    }

    /** Returns the key of a todo of a tenant; otherwise as {@link #key(String)}. */
    public TimerKey key(String tenantId, String id) {
        return TimerKey.ofTodo(tenantId, name, id);
    }

    /** {@inheritDoc} Joins the transaction of the caller's thread, if the scheduler was given a way to find it. */
    @Override
    public List<ScheduleResult> enqueueAll(Collection<NewTodo> todos) {
        return enqueueAll(todos, attached().timers().get());
    }

    /**
     * Returns a view of this queue that works inside a transaction of the caller's. Its todos run once the caller
     * commits, and are gone if the caller rolls back.
     *
     * <p>As thread-safe as the transaction.
     *
     * @throws IllegalArgumentException if the store cannot join this kind of transaction
     * @throws IllegalStateException if the queue was added to no scheduler
     */
    public Todos in(Transaction transaction) {
        Timers joined = attached().joined().apply(transaction);
        return todos -> enqueueAll(todos, joined);
    }

    /**
     * Enqueues a todo from within a handler, of this queue or another one of the same scheduler, together with the
     * outcome of that run: both or neither. It inherits the tighter deadline, unless {@link NewTodo#ownDeadline} was
     * called.
     *
     * @throws IllegalArgumentException as {@link #enqueue(NewTodo)}; also if it starts after the deadline that it
     *     inherits
     */
    public void enqueue(NewTodo todo, TodoRun run) {
        run.schedule(checked(todo));
    }

    private List<ScheduleResult> enqueueAll(Collection<NewTodo> todos, Timers timers) {
        return timers.scheduleAll(todos.stream().map(this::checked).toList());
    }

    private Timer checked(NewTodo todo) {
        Timer timer = todo.timer(name);
        TodoType<?> type = settings.types().get(timer.type());
        if (type == null) {
            throw new LimitException(
                    "type",
                    "type must be one of %s but was %s (queue %s)"
                            .formatted(settings.types().keySet(), timer.type(), name));
        }
        TodoPayload.check(type.name(), type.payload(), todo.payload());
        return timer;
    }

    private Attached attached() {
        Attached through = attached;
        if (through == null) {
            throw new IllegalStateException(
                    "todo queue %s must be added to a scheduler, by todoQueue(…), before it is used".formatted(name));
        }
        return through;
    }

    /** What the builder of a scheduler does with the queue. */
    private final class Opened implements AttachedQueue {
        @Override
        public TodoSettings settings() {
            return settings;
        }

        @Override
        public void attach(Supplier<Timers> timers, Function<Transaction, Timers> joined) {
            attached = new Attached(timers, joined);
        }
    }

    /** The settings of a {@link TodoQueue}. Each method checks its value at once. Not thread-safe. */
    public static final class Builder {
        private static final int WORKERS = 16;
        /** The limit of SQLite for the parts of one statement. */
        private static final int MOST_WORKERS = 1_000;

        static final int MOST_PERMITS = 1_000_000;

        private static final int ATTEMPTS = 10;

        private final String name;
        private final Map<String, TodoType<?>> types = new LinkedHashMap<>();
        private TodoMode mode = TodoMode.PARALLEL_BY_KEY;
        private int workers = WORKERS;
        private RetryPolicy retry = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                .maxAttempts(ATTEMPTS);
        private @Nullable Duration timeLimit;
        private boolean enqueuesOnly;
        private TodoLimits limits = TodoLimits.NONE;

        private Builder(String name) {
            this.name = Limits.name("queue", name, Limits.QUEUE_LENGTH);
        }

        /**
         * Adds a type of todos.
         *
         * @param type its name in the database: keep it when the class is renamed
         * @param payload the class of its payloads, which the scheduler's codec reads
         * @param handler what runs it: a function, or {@link Steps}
         * @throws IllegalArgumentException if an argument is null; if the type is empty, longer than 255 characters,
         *     has control characters or was added before
         */
        public <T> Builder type(String type, Class<T> payload, StepHandler<T> handler) {
            return type(type, payload, handler, settings -> {});
        }

        /**
         * Adds a type of todos with settings of its own; otherwise as {@link #type(String, Class, StepHandler)}.
         *
         * @throws IllegalArgumentException also if a setting is out of range
         */
        public <T> Builder type(
                String type, Class<T> payload, StepHandler<T> handler, Consumer<TodoTypeBuilder<T>> settings) {
            TodoTypeBuilder<T> added = new TodoTypeBuilder<>(type, payload, handler);
            if (types.containsKey(type)) {
                throw new LimitException("type", "type must be added once but was again: " + Limits.shown(type));
            }
            Limits.given("settings", settings).accept(added);
            types.put(type, added.build());
            return this;
        }

        /**
         * Sets which todos may run at the same time; {@link TodoMode#PARALLEL_BY_KEY} by default. {@link
         * TodoMode#SEQUENTIAL} gives a new queue one shard.
         *
         * @throws IllegalArgumentException if {@code mode} is null
         */
        public Builder mode(TodoMode mode) {
            this.mode = Limits.given("mode", mode);
            return this;
        }

        /**
         * Sets how many todos run at the same time on a node; 16 by default, 1 to 1,000.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder workers(int workers) {
            this.workers = Limits.number("workers", workers, 1, MOST_WORKERS);
            return this;
        }

        /**
         * Sets when a failed todo is retried, for types without {@linkplain TodoTypeBuilder#retry their own policy};
         * exponential from 1 s to 5 min by default, dead after 10 attempts.
         *
         * @throws IllegalArgumentException if {@code retry} is null
         */
        public Builder retry(RetryPolicy retry) {
            this.retry = Limits.given("retry", retry);
            return this;
        }

        /**
         * Sets how long a step may take before its thread is interrupted and the attempt has failed; for ever by
         * default, 1 ms to 365 days. A handler that ignores the interrupt continues, and its outcome counts.
         *
         * @throws IllegalArgumentException if {@code timeLimit} is null or out of range
         */
        public Builder timeLimit(Duration timeLimit) {
            this.timeLimit = Limits.upToAYear("timeLimit", timeLimit);
            return this;
        }

        /**
         * Makes this node only enqueue and merge todos, which other nodes run. Set the same {@link #mode} as on these
         * nodes: the first enqueued todo creates the queue, and a {@link TodoMode#SEQUENTIAL} queue needs only one
         * shard.
         */
        public Builder enqueuesOnly() {
            this.enqueuesOnly = true;
            return this;
        }

        /**
         * Limits how many todos of the queue run at once, on all nodes together; any number by default. The nodes
         * divide the number by what they have due, and a node that waits for its part runs nothing meanwhile. A todo
         * that waits spends no attempt. Set the same limit on all nodes; while they differ, the smaller one holds.
         *
         * @param most 1 to 1,000,000
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder concurrencyLimit(int most) {
            int checked = Limits.number("concurrencyLimit", most, 1, MOST_PERMITS);
            this.limits = new TodoLimits(checked, limits.rate(), limits.tenantRate(), limits.parallelKey());
            return this;
        }

        /**
         * Limits how many runs begin in a time, on all nodes together; any number by default. Retries and the steps of
         * a todo count, too. Otherwise as {@link #concurrencyLimit}.
         *
         * @throws IllegalArgumentException if {@code limit} is null
         */
        public Builder rateLimit(RateLimit limit) {
            RateLimit checked = Limits.given("rateLimit", limit);
            this.limits = new TodoLimits(limits.concurrency(), checked, limits.tenantRate(), limits.parallelKey());
            return this;
        }

        /**
         * Limits how many runs of each tenant begin in a time, on all nodes together; any number by default. Each
         * tenant has the whole limit for itself, with the exceptions of {@link
         * dev.duetime.QueueBuilder#tenantRateLimit}. Otherwise as {@link #rateLimit}.
         *
         * @throws IllegalArgumentException if {@code limit} is null
         */
        public Builder tenantRateLimit(RateLimit limit) {
            RateLimit checked = Limits.given("tenantRateLimit", limit);
            this.limits = new TodoLimits(limits.concurrency(), limits.rate(), checked, limits.parallelKey());
            return this;
        }

        /**
         * Sets how many todos of one parallel key run at once, on all nodes together, in the mode {@link
         * TodoMode#PARALLEL_BY_KEY}; 1 by default, 1 to 1,000. They begin in order of start date. No node needs to ask
         * another one for this: all todos of a key lie in one shard.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder parallelKeyLimit(int most) {
            int checked = Limits.number("parallelKeyLimit", most, 1, MOST_WORKERS);
            this.limits = new TodoLimits(limits.concurrency(), limits.rate(), limits.tenantRate(), checked);
            return this;
        }

        /** Returns the queue; the builder may be used on. */
        public TodoQueue build() {
            return new TodoQueue(name, new TodoSettings(mode, workers, timeLimit, retry, enqueuesOnly, limits, types));
        }
    }
}

package dev.duetime.todo;

import dev.duetime.Outcome;
import dev.duetime.QueueHandler;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerMerge;
import dev.duetime.Timers;
import dev.duetime.TodoMode;
import dev.duetime.TodoRun;
import dev.duetime.UnknownTypeException;
import dev.duetime.store.Transaction;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Is a durable queue of todos: what is enqueued, now or for later, is run in process by the handler of its type, at least once,
 * step by step, with retries, on whichever node owns its shard.
 *
 * <pre>{@code
 * TodoQueue mails = TodoQueue.builder("mails")
 *         .type("welcome", Welcome.class, (todo, run) -> {
 *             mailer.send(todo.payload());
 *             return Outcome.complete();
 *         })
 *         .build();
 * Scheduler scheduler = Scheduler.builder().store(store).extension(mails).build();
 * scheduler.start();
 *
 * mails.enqueue(NewTodo.of("welcome", new Welcome(userId)).id("welcome-" + userId));
 * }</pre>
 *
 * <p>Used through the scheduler that it was added to, before or after that is started; where it was added to several, through
 * the one built last. Thread-safe, if its handlers are. The pattern is the todo queue of Azos.
 */
public final class TodoQueue implements Todos, SchedulerExtension {
    private final Builder given;

    // Mutable state, set whenever a scheduler is built.
    private volatile @Nullable Scheduler scheduler;

    private TodoQueue(Builder given) {
        this.given = given;
    }

    /**
     * Begins a queue.
     *
     * @param name 1 to 64 characters without control characters; checked when the queue is added to a scheduler
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    @Override
    public String name() {
        return "todo queue " + given.name;
    }

    /**
     * Sets up the queue and its types.
     *
     * @throws IllegalArgumentException if its name or that of a type is out of bounds, or another setting is out of range
     */
    @Override
    public void configure(SchedulerBuilder builder) {
        builder.queue(given.name, queue -> {
            queue.retry(given.retry);
            if (given.enqueuesOnly) {
                queue.handledElsewhere(given.mode);
            } else {
                queue.handler(new Handler(), given.mode, given.workers, given.timeLimit);
            }
            given.types.values().forEach(type -> {
                TimerMerge merge = type.timerMerge();
                if (merge != null) {
                    queue.merge(type.name(), merge);
                }
            });
            given.types.values().forEach(type -> queue.type(type.name(), type::configure));
        });
    }

    @Override
    public boolean tends() {
        return false;
    }

    /** Lets the queue be used through this scheduler. */
    @Override
    public void attach(Scheduler built) {
        scheduler = built;
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
        return TimerKey.ofTodo(tenantId, given.name, id);
    }

    /** {@inheritDoc} Joins the {@linkplain SchedulerBuilder#callersTransaction transaction of the caller's thread}, if any. */
    @Override
    public List<ScheduleResult> enqueueAll(Collection<NewTodo> todos) {
        Scheduler through = attached();
        Timers timers = through.callersTransaction().<Timers>map(through::in).orElse(through);
        return enqueueAll(todos, timers);
    }

    /**
     * Returns a view of this queue that works inside a transaction of the caller's: what it enqueues runs once the caller
     * commits, and is undone when the caller rolls back.
     *
     * <p>As thread-safe as the transaction.
     *
     * @throws IllegalArgumentException if the store cannot join this kind of transaction
     * @throws IllegalStateException if the queue was added to no scheduler
     */
    public Todos in(Transaction transaction) {
        Timers joined = attached().in(transaction);
        return todos -> enqueueAll(todos, joined);
    }

    /**
     * Enqueues a todo from within a handler, of this queue or another one of the same scheduler, together with the outcome of
     * that run: both or neither. It inherits the tighter deadline, unless {@link NewTodo#ownDeadline} was called.
     *
     * @throws IllegalArgumentException as {@link #enqueue(NewTodo)}; also if it starts after the deadline that it inherits
     */
    public void enqueue(NewTodo todo, TodoRun run) {
        run.schedule(checked(todo));
    }

    private List<ScheduleResult> enqueueAll(Collection<NewTodo> todos, Timers timers) {
        return timers.scheduleAll(todos.stream().map(this::checked).toList());
    }

    private Timer checked(NewTodo todo) {
        Timer timer = todo.timer(given.name);
        TodoType<?> type = given.types.get(timer.type());
        if (type == null) {
            throw new IllegalArgumentException("type must be one of %s but was %s (queue %s)"
                    .formatted(given.types.keySet(), timer.type(), given.name));
        }
        type.checked(todo.payload());
        return timer;
    }

    private Scheduler attached() {
        Scheduler through = scheduler;
        if (through == null) {
            throw new IllegalStateException(
                    "todo queue %s must be added to a scheduler, by extension(…), before it is used"
                            .formatted(given.name));
        }
        return through;
    }

    /** Hands todos to the handlers of their types. */
    private final class Handler implements QueueHandler {
        @Override
        public Outcome handle(StoredTimer todo, TodoRun run) throws Exception {
            return type(todo).execute(todo, run);
        }

        @Override
        public boolean handles(String type) {
            return given.types.containsKey(type);
        }

        @Override
        public @Nullable Duration retryDelay(StoredTimer todo, Throwable error) {
            TodoType<?> type = given.types.get(todo.content().type());
            return type == null ? null : type.delay(todo, error);
        }

        private TodoType<?> type(StoredTimer todo) {
            TodoType<?> type = given.types.get(todo.content().type());
            if (type == null) {
                throw new UnknownTypeException(todo.content().type(), given.types.keySet());
            }
            return type;
        }
    }

    /** Builds a {@link TodoQueue}. Numbers and durations are checked when the queue is added to a scheduler. Not thread-safe. */
    public static final class Builder {
        private static final int WORKERS = 16;
        private static final int ATTEMPTS = 10;

        private final String name;
        private final Map<String, TodoType<?>> types = new LinkedHashMap<>();
        private TodoMode mode = TodoMode.PARALLEL_BY_KEY;
        private int workers = WORKERS;
        private RetryPolicy retry = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                .maxAttempts(ATTEMPTS);
        private @Nullable Duration timeLimit;
        private boolean enqueuesOnly;

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
        }

        private Builder(Builder other) {
            this(other.name);
            types.putAll(other.types);
            mode = other.mode;
            workers = other.workers;
            retry = other.retry;
            timeLimit = other.timeLimit;
            enqueuesOnly = other.enqueuesOnly;
        }

        /**
         * Adds a type of todos.
         *
         * @param type its name in the database: keep it when the class is renamed
         * @param payload the class of its payloads, which the scheduler's codec reads
         * @param handler what runs it: a function, or {@link Steps}
         * @throws IllegalArgumentException if the type was added before
         */
        public <T> Builder type(String type, Class<T> payload, StepHandler<T> handler) {
            return type(type, payload, handler, settings -> {});
        }

        /** Adds a type of todos with settings of its own; otherwise as {@link #type(String, Class, StepHandler)}. */
        public <T> Builder type(String type, Class<T> payload, StepHandler<T> handler, Consumer<TodoType<T>> settings) {
            TodoType<T> added = new TodoType<>(
                    Objects.requireNonNull(type, "type"),
                    Objects.requireNonNull(payload, "payload"),
                    Objects.requireNonNull(handler, "handler"));
            if (types.putIfAbsent(type, added) != null) {
                throw new IllegalArgumentException("type must be added once but was again: " + type);
            }
            settings.accept(added);
            return this;
        }

        /** Sets which todos may run at the same time; {@link TodoMode#PARALLEL_BY_KEY} by default. */
        public Builder mode(TodoMode mode) {
            this.mode = Objects.requireNonNull(mode, "mode");
            return this;
        }

        /** Sets how many todos run at the same time on a node; 16 by default, 1 to 1,000. */
        public Builder workers(int workers) {
            this.workers = workers;
            return this;
        }

        /**
         * Sets when a todo is tried again that has thrown, for types that do not {@linkplain TodoType#retry set their own};
         * exponential from 1 s to 5 min by default, dead after 10 attempts.
         */
        public Builder retry(RetryPolicy retry) {
            this.retry = Objects.requireNonNull(retry, "retry");
            return this;
        }

        /**
         * Sets how long a step may take before its thread is interrupted, and the attempt has failed; for ever by default, 1 ms
         * to 365 days. A handler that ignores the interrupt goes on, and its outcome counts.
         */
        public Builder timeLimit(Duration timeLimit) {
            this.timeLimit = Objects.requireNonNull(timeLimit, "timeLimit");
            return this;
        }

        /**
         * Makes this node enqueue and merge, and leave the running to others. Set the same {@link #mode} as there: the first
         * todo that is enqueued creates the queue, and a {@link TodoMode#SEQUENTIAL} one has one shard.
         */
        public Builder enqueuesOnly() {
            this.enqueuesOnly = true;
            return this;
        }

        /** Returns the queue; the builder may be used on. */
        public TodoQueue build() {
            return new TodoQueue(new Builder(this));
        }
    }
}

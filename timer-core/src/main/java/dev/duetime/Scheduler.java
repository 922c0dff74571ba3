package dev.duetime;

import dev.duetime.admin.TimerAdmin;
import dev.duetime.engine.LocalNode;
import dev.duetime.engine.operate.Upkeep;
import dev.duetime.internal.Limits;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.TimerStore;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The entry point of Duetime. It keeps timers in the user's database and delivers each at its time, at least once,
 * through crashes, restarts and deploys. Thread-safe. One per process and database is enough; nodes that share a
 * database share the work.
 *
 * <p>Scheduling works before {@link #start} and after {@link #close} as well: what is stored is delivered by whichever
 * node runs.
 */
public final class Scheduler implements Timers, AutoCloseable {
    private final TimerStore store;
    private final Clock clock;
    private final LocalNode engine;
    private final PayloadCodec codec;
    private final List<SchedulerExtension> extensions;
    private final TimerAdmin admin;

    // Mutable state, set by the builder before anybody else has the scheduler.
    private volatile Supplier<Optional<Transaction>> callersTransaction = Optional::empty;

    Scheduler(
            TimerStore store, Clock clock, LocalNode engine, PayloadCodec codec, List<SchedulerExtension> extensions) {
        this.store = store;
        this.clock = clock;
        this.engine = engine;
        this.codec = codec;
        this.extensions = List.copyOf(extensions);
        this.admin = new SchedulerAdmin(this, store.admin(), engine);
    }

    void joins(Supplier<Optional<Transaction>> transaction) {
        callersTransaction = transaction;
    }

    /** Begins to set up a scheduler. */
    public static SchedulerBuilder builder() {
        return new SchedulerBuilder();
    }

    /**
     * Begins to deliver, on daemon threads by default. Without a publisher it only keeps the clock that it schedules by
     * in step with the database's. Starting again does nothing.
     *
     * @throws IllegalStateException if the scheduler is closed
     */
    public void start() {
        engine.start(extensions.stream()
                .filter(SchedulerExtension::needsMaintenance)
                .<Upkeep>map(extension -> () -> extension.maintain(this))
                .toList());
    }

    /**
     * Stops delivering: takes nothing new, lets deliveries finish for up to {@linkplain SchedulerBuilder#closeTimeout
     * 10 s}, settles them and gives its shards to the other nodes. Legal before {@link #start}, in mid-delivery and
     * twice: the second call waits for the first one, unless code that this scheduler calls makes it.
     */
    @Override
    public void close() {
        engine.close();
    }

    @Override
    public List<ScheduleResult> scheduleAll(Collection<Timer> timers) {
        UserCode.clearInterruptOfEngine();
        engine.refreshClock();
        return engine.schedule(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key) {
        UserCode.clearInterruptOfEngine();
        return engine.cancel(Limits.given("key", key), store);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        UserCode.clearInterruptOfEngine();
        return store.find(Limits.given("key", key)).map(this::readable);
    }

    @Override
    public Instant now() {
        UserCode.clearInterruptOfEngine();
        engine.refreshClock();
        return clock.now();
    }

    /**
     * Returns timers page by page, in order of their keys.
     *
     * @throws StoreException if the database failed
     */
    public List<StoredTimer> query(TimerQuery query) {
        UserCode.clearInterruptOfEngine();
        return store.query(Limits.given("query", query)).stream()
                .map(this::readable)
                .toList();
    }

    /** Returns what an operator needs: counts, dead timers, bulk cancellation, pauses, who owns what, health. */
    public TimerAdmin admin() {
        UserCode.clearInterruptOfEngine();
        return admin;
    }

    /** Returns the store that it was built with, for what builds upon a scheduler. */
    public TimerStore store() {
        UserCode.clearInterruptOfEngine();
        return store;
    }

    /**
     * Returns a listener that calls all listeners of this scheduler. Their exceptions are logged once and have no other
     * effect.
     */
    public NodeListener listener() {
        return engine.listener();
    }

    /**
     * Returns a view of this scheduler that works inside a transaction of the caller's: what it does becomes visible
     * and durable when the caller commits, and is undone when the caller rolls back. For JDBC: {@code
     * scheduler.in(JdbcTransaction.of(connection)).schedule(timer)}.
     *
     * <p>A cancellation counts from the commit: until then this node may deliver the timer, and what settles it waits.
     *
     * <p>As thread-safe as the transaction.
     *
     * @throws IllegalArgumentException if the store cannot join this kind of transaction
     */
    public Timers in(Transaction transaction) {
        return new Joined(store.in(Limits.given("transaction", transaction)));
    }

    /**
     * Returns the transaction that the calling thread is in, as a framework keeps it; empty by default. Todo queues and
     * to-do lists join it by themselves, the scheduler's own methods do not.
     *
     * @throws IllegalStateException if the thread is in a transaction that the store cannot join
     * @see SchedulerBuilder#callersTransaction
     */
    public Optional<Transaction> callersTransaction() {
        try {
            return callersTransaction.get();
        } finally {
            UserCode.clearInterruptOfEngine();
        }
    }

    private StoredTimer readable(StoredTimer timer) {
        return StoredTimers.readBy(timer, codec);
    }

    /** The timers inside a caller's transaction. */
    private final class Joined implements Timers {
        private final TimerWrites writes;

        Joined(TimerWrites writes) {
            this.writes = writes;
        }

        @Override
        public List<ScheduleResult> scheduleAll(Collection<Timer> timers) {
            return engine.schedule(timers, writes);
        }

        @Override
        public CancelResult cancel(TimerKey key) {
            UserCode.clearInterruptOfEngine();
            return engine.cancel(Limits.given("key", key), writes);
        }

        @Override
        public Optional<StoredTimer> find(TimerKey key) {
            UserCode.clearInterruptOfEngine();
            return writes.find(Limits.given("key", key)).map(Scheduler.this::readable);
        }

        /** This does not call the database, which would need a second connection besides the caller's. */
        @Override
        public Instant now() {
            return clock.now();
        }
    }
}

package dev.duetime.testkit.memory;

import dev.duetime.CancelResult;
import dev.duetime.Clock;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.store.Correlated;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.fault.Damage;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, with the exact semantics of a database, for tests. Deterministic: the same calls give the same
 * answers in the same order. Several schedulers may share it as the nodes of a cluster share a database.
 *
 * <p>Thread-safe: one lock, never held while other code runs.
 */
public final class InMemoryScheduleStore implements ScheduleStore {
    private static final int DEFAULT_SHARDS = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final InMemoryShardLeases leases;
    private final InMemoryWakeUps wakeUps = new InMemoryWakeUps();
    private final InMemoryPermits permits = new InMemoryPermits();

    // Mutable state, guarded by lock.
    private final InMemoryTable table = new InMemoryTable();

    private final InMemoryCorrelationLocks correlationLocks = new InMemoryCorrelationLocks(lock.newCondition());

    /** Creates an empty store whose queues have 4 shards by default. */
    public InMemoryScheduleStore(Clock clock) {
        this(clock, DEFAULT_SHARDS);
    }

    /**
     * Creates an empty store.
     *
     * @param clock tells {@code leases().now()}
     * @param shards how many shards a queue has that is opened without a number
     * @throws IllegalArgumentException if {@code shards < 1}
     */
    public InMemoryScheduleStore(Clock clock, int shards) {
        leases = new InMemoryShardLeases(clock, shards);
    }

    @Override
    public InMemoryTransaction begin() {
        return new InMemoryTransaction(this);
    }

    @Override
    public TimerWrites in(Transaction transaction) {
        if (transaction instanceof InMemoryTransaction joined && joined.isOf(this)) {
            return joined.writes();
        }
        throw new IllegalArgumentException("transaction must be one that begin() of this store returned but was a "
                + transaction.getClass().getName());
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return alone(writes -> writes.schedule(timers));
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return alone(writes -> writes.cancel(key, now, inDelivery));
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return locked(() -> table.find(key));
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return locked(() -> table.query(query));
    }

    @Override
    public DueTimers due(DueQuery query) {
        return locked(() -> table.due(query));
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return locked(() -> table.nextDue(queue, shards, after));
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return locked(() -> table.pending(queue, shards, atMost));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return alone(writes -> writes.settle(settlements));
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return locked(() -> table.start(key, generation));
    }

    @Override
    public Correlated correlated() {
        return new InMemoryCorrelatedStore(this);
    }

    @Override
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return locked(() -> table.expire(queue, shard, now, keep, limit));
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return locked(() -> table.purge(queue, before, limit));
    }

    @Override
    public ShardLeases leases() {
        return leases;
    }

    @Override
    public WakeUps wakeUps() {
        return wakeUps;
    }

    @Override
    public Permits permits() {
        return permits;
    }

    @Override
    public ListStore todos() {
        return new InMemoryTodoStore(this);
    }

    /** Changes a row as only others can: for the tests of what becomes of it. */
    public void damage(TimerKey key, Damage damage) {
        locked(() -> table.damage(key, damage));
    }

    @Override
    public StoreAdmin admin() {
        return new InMemoryStoreAdmin(this);
    }

    /**
     * Returns how often any caller wrote or removed a timer, a pause or a share in a limit, acquired or released a
     * shard, or sent a hint.
     *
     * @param queues counts timers, pauses and shares of these queues only; null for all queues
     */
    public long changes(@Nullable Set<String> queues) {
        long count = leases.changes() + wakeUps.changes();
        if (queues == null) {
            return count + table.changes() + permits.changes();
        }
        for (String queue : queues) {
            count += table.changes(queue) + permits.changes(queue);
        }
        return count;
    }

    /** Runs the work on the committed timers, alone. */
    <R> R onTable(Function<InMemoryTable, R> work) {
        return locked(() -> work.apply(table));
    }

    /** Returns which transaction has locked which correlation keys; to be used inside {@link #onTable} only. */
    InMemoryCorrelationLocks correlationLocks() {
        return correlationLocks;
    }

    /** Runs the work in a transaction of its own. */
    <R> R alone(Function<TimerWrites, R> work) {
        return locked(() -> {
            try (InMemoryTransaction own = begin()) {
                R result = work.apply(own.writes());
                own.commit();
                return result;
            }
        });
    }

    private <R> R locked(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}

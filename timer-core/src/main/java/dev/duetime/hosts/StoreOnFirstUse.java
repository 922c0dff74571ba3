package dev.duetime.hosts;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.UserCode;
import dev.duetime.store.Correlated;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Permits;
import dev.duetime.store.QueueSnapshot;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import dev.duetime.store.WakeUps;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that is opened on its first use. Each use tries again until that succeeds, one attempt at a time. During an
 * attempt, other callers get the failure of the attempt before at once. Thread-safe.
 */
final class StoreOnFirstUse implements ScheduleStore {
    private final Supplier<ScheduleStore> opener;
    private final ReentrantLock opening = new ReentrantLock();

    // Mutable state, written under opening.
    private volatile @Nullable ScheduleStore opened;
    private volatile @Nullable StoreException failure;

    StoreOnFirstUse(Supplier<ScheduleStore> opener) {
        this.opener = opener;
    }

    private ScheduleStore store() {
        ScheduleStore known = opened;
        return known != null ? known : open();
    }

    private ScheduleStore open() {
        StoreException before = failure;
        if (before == null) {
            opening.lock();
            try {
                return attempt();
            } finally {
                opening.unlock();
            }
        }
        if (!opening.tryLock()) {
            throw new StoreException("open", "store (an attempt is under way)", before);
        }
        try {
            return attempt();
        } finally {
            opening.unlock();
        }
    }

    private ScheduleStore attempt() {
        ScheduleStore known = opened;
        if (known != null) {
            return known;
        }
        try {
            ScheduleStore now = Objects.requireNonNull(opener.get(), "store");
            opened = now;
            return now;
        } catch (RuntimeException | Error e) {
            UserCode.rethrowFatal(e);
            StoreException why = e instanceof StoreException own ? own : new StoreException("open", "store", e);
            failure = why;
            throw why;
        }
    }

    @Override
    public Map<String, QueueSnapshot> snapshot(Collection<String> queues, String node) {
        return store().snapshot(queues, node);
    }

    @Override
    public Map<String, Map<Integer, Integer>> pending(Collection<PendingCount> counts) {
        return store().pending(counts);
    }

    @Override
    public Set<String> purgeable(Map<String, Instant> before) {
        return store().purgeable(before);
    }

    @Override
    public TimerWrites in(Transaction transaction) {
        return store().in(transaction);
    }

    @Override
    public OwnTransaction begin() {
        return store().begin();
    }

    @Override
    public OptionalInt mostTransactions() {
        return store().mostTransactions();
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return store().schedule(timers);
    }

    @Override
    public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return store().scheduleEach(timers);
    }

    @Override
    public List<ScheduleResult> scheduleShared(List<NewTimer> timers) {
        return store().scheduleShared(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return store().cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return store().find(key);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return store().settle(settlements);
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return store().settleUnlocked(settlements);
    }

    @Override
    public Correlated correlated() {
        return store().correlated();
    }

    @Override
    public ListStore todos() {
        return store().todos();
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return store().query(query);
    }

    @Override
    public DueTimers due(DueQuery query) {
        return store().due(query);
    }

    @Override
    public boolean readsBesideWrites() {
        return store().readsBesideWrites();
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return store().nextDue(queue, shards, after);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return store().start(key, generation, now);
    }

    @Override
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return store().expire(queue, shard, now, keep, limit);
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return store().purge(queue, before, limit);
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return store().pending(queue, shards, atMost);
    }

    @Override
    public ShardLeases leases() {
        return store().leases();
    }

    @Override
    public StoreAdmin admin() {
        return store().admin();
    }

    @Override
    public WakeUps wakeUps() {
        return store().wakeUps();
    }

    @Override
    public Permits permits() {
        return store().permits();
    }
}

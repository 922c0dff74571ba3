package dev.duetime.testkit.fault;

import dev.duetime.Beta;
import dev.duetime.CancelResult;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A store as one node reaches it: through faults. As thread-safe as the store. */
@Beta
public final class FaultyStore implements ScheduleStore {
    private final ScheduleStore store;
    private final StoreFaults faults;

    public FaultyStore(ScheduleStore store, StoreFaults faults) {
        this.store = store;
        this.faults = faults;
    }

    @Override
    public TimerWrites in(Transaction transaction) {
        return new FaultyWrites(store.in(transaction), faults);
    }

    @Override
    public OwnTransaction begin() {
        return faults.call(StoreCall.BEGIN, () -> new FaultyTransaction(store.begin(), faults));
    }

    @Override
    public OptionalInt mostTransactions() {
        return store.mostTransactions();
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return new FaultyWrites(store, faults).schedule(timers);
    }

    @Override
    public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return faults.call(StoreCall.SCHEDULE, () -> store.scheduleEach(timers));
    }

    @Override
    public List<ScheduleResult> scheduleShared(List<NewTimer> timers) {
        return faults.call(StoreCall.SCHEDULE, () -> store.scheduleShared(timers));
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return new FaultyWrites(store, faults).cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return new FaultyWrites(store, faults).find(key);
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return faults.call(StoreCall.QUERY, () -> store.query(query));
    }

    @Override
    public DueTimers due(DueQuery query) {
        return faults.call(StoreCall.DUE, () -> store.due(query));
    }

    @Override
    public boolean readsBesideWrites() {
        return store.readsBesideWrites();
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return faults.call(StoreCall.NEXT_DUE, () -> store.nextDue(queue, shards, after));
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return faults.call(StoreCall.PENDING, () -> store.pending(queue, shards, atMost));
    }

    @Override
    public Map<String, Map<Integer, Integer>> pending(Collection<PendingCount> counts) {
        return faults.call(StoreCall.PENDING, () -> store.pending(counts));
    }

    @Override
    public Map<String, QueueSnapshot> snapshot(Collection<String> queues, String node) {
        return faults.call(StoreCall.SNAPSHOT, () -> store.snapshot(queues, node));
    }

    @Override
    public Set<String> purgeable(Map<String, Instant> before) {
        return faults.call(StoreCall.PURGEABLE, () -> store.purgeable(before));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return new FaultyWrites(store, faults).settle(settlements);
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return new FaultyWrites(store, faults).settleUnlocked(settlements);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return faults.call(StoreCall.START, () -> store.start(key, generation, now));
    }

    @Override
    public Correlated correlated() {
        return new FaultyWrites(store, faults).correlated();
    }

    @Override
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return faults.call(StoreCall.EXPIRE, () -> store.expire(queue, shard, now, keep, limit));
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return faults.call(StoreCall.PURGE, () -> store.purge(queue, before, limit));
    }

    @Override
    public ShardLeases leases() {
        return new FaultyLeases(store.leases(), faults);
    }

    @Override
    public WakeUps wakeUps() {
        return new FaultyWakeUps(store.wakeUps(), faults);
    }

    @Override
    public Permits permits() {
        return new FaultyPermits(store.permits(), faults);
    }

    @Override
    public StoreAdmin admin() {
        return new FaultyAdmin(store.admin(), faults);
    }

    @Override
    public ListStore todos() {
        return new FaultyWrites(store, faults).todos();
    }
}

package dev.duetime.testkit;

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
import dev.duetime.store.ScheduleStore;
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

/** A store that passes on every call. A test overrides what should go wrong. */
public class PassThroughStore implements ScheduleStore {
    public final ScheduleStore intact;

    public PassThroughStore(ScheduleStore intact) {
        this.intact = intact;
    }

    @Override
    public TimerWrites in(Transaction transaction) {
        return intact.in(transaction);
    }

    @Override
    public OwnTransaction begin() {
        return intact.begin();
    }

    @Override
    public OptionalInt mostTransactions() {
        return intact.mostTransactions();
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return intact.schedule(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return intact.cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return intact.find(key);
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return intact.query(query);
    }

    @Override
    public DueTimers due(DueQuery query) {
        return intact.due(query);
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return intact.nextDue(queue, shards, after);
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return intact.pending(queue, shards, atMost);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return intact.settle(settlements);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return intact.start(key, generation, now);
    }

    @Override
    public Correlated correlated() {
        return intact.correlated();
    }

    @Override
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return intact.expire(queue, shard, now, keep, limit);
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return intact.purge(queue, before, limit);
    }

    @Override
    public WakeUps wakeUps() {
        return intact.wakeUps();
    }

    @Override
    public Permits permits() {
        return intact.permits();
    }

    @Override
    public ShardLeases leases() {
        return intact.leases();
    }

    @Override
    public ListStore todos() {
        return intact.todos();
    }

    @Override
    public StoreAdmin admin() {
        return intact.admin();
    }
}

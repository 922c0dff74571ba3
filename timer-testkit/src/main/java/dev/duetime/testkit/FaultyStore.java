package dev.duetime.testkit;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.TodoStore;
import dev.duetime.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Is a store as one node reaches it: through faults. As thread-safe as the store. */
final class FaultyStore implements ScheduleStore {
    private final ScheduleStore store;
    private final StoreFaults faults;

    FaultyStore(ScheduleStore store, StoreFaults faults) {
        this.store = store;
        this.faults = faults;
    }

    @Override
    public TimerWrites in(Transaction transaction) {
        return new FaultyWrites(store.in(transaction));
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return new FaultyWrites(store).schedule(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return new FaultyWrites(store).cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return new FaultyWrites(store).find(key);
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
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return faults.call(StoreCall.NEXT_DUE, () -> store.nextDue(queue, shards, after));
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return faults.call(StoreCall.PENDING, () -> store.pending(queue, shards, atMost));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return faults.call(StoreCall.SETTLE, () -> store.settle(settlements));
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
    public StoreAdmin admin() {
        return new FaultyAdmin(store.admin(), faults);
    }

    @Override
    public TodoStore todos() {
        return new FaultyWrites(store).todos();
    }

    private final class FaultyWrites implements TimerWrites {
        private final TimerWrites writes;

        FaultyWrites(TimerWrites writes) {
            this.writes = writes;
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            return faults.call(StoreCall.SCHEDULE, () -> writes.schedule(timers));
        }

        @Override
        public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
            return faults.call(StoreCall.CANCEL, () -> writes.cancel(key, now, inDelivery));
        }

        @Override
        public Optional<StoredTimer> find(TimerKey key) {
            return faults.call(StoreCall.FIND, () -> writes.find(key));
        }

        @Override
        public TodoStore todos() {
            return new FaultyTodos(writes.todos(), faults);
        }
    }
}

package dev.duetime.testkit.fault;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The writes of one node, in a transaction or not: through faults. As thread-safe as the target of the writes. */
final class FaultyWrites implements TimerWrites {
    private final TimerWrites writes;
    private final StoreFaults faults;

    FaultyWrites(TimerWrites writes, StoreFaults faults) {
        this.writes = writes;
        this.faults = faults;
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
    public int settle(List<Settlement> settlements) {
        return faults.call(StoreCall.SETTLE, () -> writes.settle(settlements));
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return faults.call(StoreCall.SETTLE, () -> writes.settleUnlocked(settlements));
    }

    @Override
    public boolean afterCommit(Runnable action) {
        return writes.afterCommit(action);
    }

    @Override
    public Correlated correlated() {
        Correlated correlated = writes.correlated();
        return new Correlated() {
            @Override
            public void lock(String queue, Collection<String> correlationKeys) {
                faults.run(StoreCall.LOCK, () -> correlated.lock(queue, correlationKeys));
            }

            @Override
            public Optional<StoredTimer> waiting(String queue, String tenantId, String correlationKey, String type) {
                return faults.call(StoreCall.WAITING, () -> correlated.waiting(queue, tenantId, correlationKey, type));
            }
        };
    }

    @Override
    public ListStore todos() {
        return new FaultyTodos(writes.todos(), faults);
    }
}

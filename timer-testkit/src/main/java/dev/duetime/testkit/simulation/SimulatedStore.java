package dev.duetime.testkit.simulation;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.Times;
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
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** The store, as one process calls it. Calls are recorded, and faults may happen before and after them. */
final class SimulatedStore implements ScheduleStore {
    private final ScheduleStore store;
    private final NodeProcess process;

    SimulatedStore(ScheduleStore store, NodeProcess process) {
        this.store = store;
        this.process = process;
    }

    @Override
    public TimerWrites in(Transaction transaction) {
        return store.in(transaction);
    }

    @Override
    public OwnTransaction begin() {
        return process.call(StoreCall.BEGIN, () -> new SimulatedTransaction(store.begin(), process), begun -> null);
    }

    @Override
    public OptionalInt mostTransactions() {
        return store.mostTransactions();
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return schedule(timers, HeldRows.LONGEST);
    }

    @Override
    public List<ScheduleResult> scheduleShared(List<NewTimer> timers) {
        return schedule(timers, HeldRows.SHARED);
    }

    private List<ScheduleResult> schedule(List<NewTimer> timers, Duration most) {
        List<TimerKey> keys = timers.stream().map(NewTimer::key).toList();
        return process.call(
                StoreCall.SCHEDULE,
                () -> {
                    process.awaitRows(StoreCall.SCHEDULE, keys, most);
                    process.refused().check(process, StoreCall.SCHEDULE, keys);
                    return store.schedule(timers);
                },
                results -> {
                    for (int i = 0; i < timers.size(); i++) {
                        process.note(new Event.Wrote(timers.get(i), results.get(i)));
                    }
                    return null;
                });
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return process.call(
                StoreCall.CANCEL,
                () -> {
                    process.awaitRows(StoreCall.CANCEL, List.of(key), HeldRows.LONGEST);
                    process.refused().check(process, StoreCall.CANCEL, List.of(key));
                    return store.cancel(key, now, inDelivery);
                },
                result -> new Event.Cancelled(key, now, inDelivery, result));
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return process.call(StoreCall.FIND, () -> store.find(key), found -> null);
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return process.call(StoreCall.QUERY, () -> store.query(query), found -> null);
    }

    @Override
    public DueTimers due(DueQuery query) {
        process.note(new Event.Asks(new TreeSet<>(query.shards())));
        return process.call(
                StoreCall.DUE,
                () -> {
                    process.checkRead(passedOver(query));
                    return store.due(query);
                },
                due -> new Event.Read(query, due.timers()));
    }

    /** Returns how much of what is due a read passes over, at most. */
    private Duration passedOver(DueQuery query) {
        Instant oldest = query.but().isNothing()
                ? null
                : store.nextDue(query.queue(), query.shards(), Instant.MIN).wakeAt();
        if (oldest == null) {
            return Duration.ZERO;
        }
        return Duration.between(Times.later(query.from(), oldest), query.now());
    }

    @Override
    public boolean readsBesideWrites() {
        return process.readsBesideWrites();
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return process.call(StoreCall.NEXT_DUE, () -> store.nextDue(queue, shards, after), next -> null);
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return process.call(StoreCall.PENDING, () -> store.pending(queue, shards, atMost), counts -> null);
    }

    @Override
    public Map<String, Map<Integer, Integer>> pending(Collection<PendingCount> counts) {
        return process.call(StoreCall.PENDING, () -> store.pending(counts), results -> null);
    }

    @Override
    public Map<String, QueueSnapshot> snapshot(Collection<String> queues, String node) {
        return process.call(StoreCall.SNAPSHOT, () -> store.snapshot(queues, node), snapshots -> null);
    }

    @Override
    public Set<String> purgeable(Map<String, Instant> before) {
        return process.call(StoreCall.PURGEABLE, () -> store.purgeable(before), queues -> null);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return process.call(
                StoreCall.SETTLE,
                () -> {
                    process.awaitRowsOf(settlements);
                    process.refused().check(process, settlements);
                    return store.settle(settlements);
                },
                count -> new Event.Settled(settlements, count));
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return process.call(
                StoreCall.SETTLE,
                () -> {
                    List<Settlement> locked = process.locked(settlements);
                    List<Settlement> free = new ArrayList<>(settlements);
                    free.removeAll(locked);
                    process.refused().check(process, free);
                    int count = free.isEmpty() ? 0 : store.settle(free);
                    if (!locked.isEmpty()) {
                        process.note(new Event.LeftOut(locked));
                    }
                    if (!free.isEmpty()) {
                        process.note(new Event.Settled(free, count));
                    }
                    return new Settled(count, locked);
                },
                settled -> null);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return process.call(StoreCall.START, () -> store.start(key, generation, now), stands -> null);
    }

    @Override
    public Correlated correlated() {
        return store.correlated();
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return process.call(
                StoreCall.PURGE, () -> store.purge(queue, before, limit), count -> new Event.Purged(before, count));
    }

    @Override
    public ShardLeases leases() {
        return new SimulatedLeases(store.leases(), process);
    }

    @Override
    public WakeUps wakeUps() {
        return new SimulatedWakeUps(store.wakeUps(), process);
    }

    @Override
    public Permits permits() {
        return new SimulatedPermits(store.permits(), process);
    }

    @Override
    public ListStore todos() {
        return store.todos();
    }

    @Override
    public StoreAdmin admin() {
        return store.admin();
    }
}

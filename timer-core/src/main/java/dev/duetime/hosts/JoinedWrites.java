package dev.duetime.hosts;

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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The writes in a caller's transaction of one host. Timers on other hosts are refused. As thread-safe as the
 * transaction.
 */
final class JoinedWrites implements TimerWrites {
    private final HostStores hosts;
    private final String host;
    private final TimerWrites writes;

    JoinedWrites(HostStores hosts, String host, TimerWrites writes) {
        this.hosts = hosts;
        this.host = host;
        this.writes = writes;
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        hosts.places()
                .of(timers, this::on)
                .forEach((place, indexes) ->
                        check("timer " + timers.get(indexes.get(0)).key(), place));
        return hosts.call(host, () -> writes.schedule(timers));
    }

    TimerWrites on(String name) {
        return name.equals(host) ? writes : hosts.store(name);
    }

    void check(String what, String place) {
        if (!place.equals(host)) {
            throw new IllegalArgumentException(
                    ("%s lies on host %s and cannot be written in a transaction of host %s: use one of %s,"
                                    + " see HostSet.hostOf")
                            .formatted(what, place, host, place));
        }
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        CancelResult result = hosts.call(host, () -> writes.cancel(key, now, inDelivery));
        if (result == CancelResult.NOT_FOUND) {
            elsewhere(key).ifPresent(place -> check("timer " + key, place));
        }
        return result;
    }

    private Optional<String> elsewhere(TimerKey key) {
        return hosts.ranking().all(HostRanking.hash(key)).stream()
                .filter(name -> !name.equals(host))
                .filter(name ->
                        hosts.call(name, () -> hosts.store(name).find(key)).isPresent())
                .findFirst();
    }

    /** Reads a timer on another host outside the transaction. */
    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return hosts.call(host, () -> writes.find(key))
                .or(() -> elsewhere(key)
                        .flatMap(
                                name -> hosts.call(name, () -> hosts.store(name).find(key))));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return hosts.call(host, () -> writes.settle(settlements));
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return hosts.call(host, () -> writes.settleUnlocked(settlements));
    }

    @Override
    public boolean afterCommit(Runnable action) {
        return writes.afterCommit(action);
    }

    @Override
    public Correlated correlated() {
        return writes.correlated();
    }

    @Override
    public ListStore todos() {
        return new HostTodos(hosts, name -> on(name).todos(), place -> {
            check("an item of a to-do list", place);
            return place;
        });
    }
}

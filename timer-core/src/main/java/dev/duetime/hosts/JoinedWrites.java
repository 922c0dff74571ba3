package dev.duetime.hosts;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The writes in a caller's transaction of one host. What lies on another host is refused. As thread-safe as that. */
final class JoinedWrites implements TimerWrites {
    private final HostSet set;
    private final String host;
    private final TimerWrites writes;

    JoinedWrites(HostSet set, String host, TimerWrites writes) {
        this.set = set;
        this.host = host;
        this.writes = writes;
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        set.places()
                .of(timers, this::on)
                .forEach((place, indexes) ->
                        check("timer " + timers.get(indexes.get(0)).key(), place));
        return set.call(host, () -> writes.schedule(timers));
    }

    TimerWrites on(String name) {
        return name.equals(host) ? writes : set.store(name);
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
        CancelResult result = set.call(host, () -> writes.cancel(key, now, inDelivery));
        if (result == CancelResult.NOT_FOUND) {
            elsewhere(key).ifPresent(place -> check("timer " + key, place));
        }
        return result;
    }

    private Optional<String> elsewhere(TimerKey key) {
        return set.ranking().all(HostRanking.hash(key)).stream()
                .filter(name -> !name.equals(host))
                .filter(name -> set.call(name, () -> set.store(name).find(key)).isPresent())
                .findFirst();
    }

    /** What lies elsewhere is read outside the transaction. */
    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return set.call(host, () -> writes.find(key))
                .or(() -> elsewhere(key)
                        .flatMap(name -> set.call(name, () -> set.store(name).find(key))));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return set.call(host, () -> writes.settle(settlements));
    }

    @Override
    public Correlated correlated() {
        return writes.correlated();
    }

    @Override
    public ListStore todos() {
        return new HostTodos(set, name -> on(name).todos(), place -> {
            check("an item of a to-do list", place);
            return place;
        });
    }
}

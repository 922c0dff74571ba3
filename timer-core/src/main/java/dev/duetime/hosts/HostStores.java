package dev.duetime.hosts;

import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.internal.inside.HostsWrite;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerStore;
import dev.duetime.store.TimerWrites;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The stores of a {@link HostSet} by the names of their hosts, and where timers lie on them. Thread-safe. */
final class HostStores implements Hosts {
    private final SortedMap<String, ScheduleStore> stores;
    private final SortedMap<String, HostRanking.Role> roles;
    private final HostRanking ranking;
    private final boolean everywhere;
    private final HostPlaces places;

    HostStores(SortedMap<String, ScheduleStore> stores, SortedMap<String, HostRanking.Role> roles, boolean everywhere) {
        this.stores = Collections.unmodifiableSortedMap(new TreeMap<>(stores));
        this.roles = Collections.unmodifiableSortedMap(new TreeMap<>(roles));
        this.everywhere = everywhere;
        List<HostRanking.Host> ranked = new ArrayList<>();
        roles.forEach((name, role) -> ranked.add(new HostRanking.Host(name, role)));
        ranking = new HostRanking(ranked);
        places = new HostPlaces(this, everywhere);
    }

    @Override
    public SortedMap<String, ScheduleStore> stores() {
        return stores;
    }

    Set<String> names() {
        return stores.keySet();
    }

    /** Returns the store of a known host. */
    ScheduleStore store(String host) {
        return Objects.requireNonNull(stores.get(host));
    }

    /**
     * Returns the given name.
     *
     * @throws IllegalArgumentException if there is no such host
     */
    String known(String host) {
        if (!stores.containsKey(host)) {
            throw new IllegalArgumentException("host must be one of %s but was %s".formatted(names(), host));
        }
        return host;
    }

    @Override
    public List<String> oldestFirst() {
        return stores.keySet().stream()
                .sorted(Comparator.comparing((String name) -> Objects.requireNonNull(roles.get(name))))
                .toList();
    }

    HostRanking ranking() {
        return ranking;
    }

    HostPlaces places() {
        return places;
    }

    @Override
    public SortedMap<String, List<Integer>> places(List<NewTimer> timers) {
        return places.of(timers, this::store);
    }

    @Override
    public SortedMap<String, List<Integer>> places(List<NewTimer> timers, TimerWrites writes) {
        if (writes instanceof JoinedWrites joined) {
            return places.of(timers, joined::on);
        }
        if (writes instanceof HostWrites several) {
            return places.of(timers, several::on);
        }
        throw unknown(writes);
    }

    @Override
    public TimerWrites part(TimerWrites writes, String host, TimerKey key) {
        if (writes instanceof JoinedWrites joined) {
            joined.check("timer " + key, host);
            return joined;
        }
        if (writes instanceof HostWrites several) {
            return several.on(host);
        }
        throw unknown(writes);
    }

    private static IllegalArgumentException unknown(TimerWrites writes) {
        return new IllegalArgumentException("writes must be what in(transaction) of this set returned but were a "
                + writes.getClass().getName());
    }

    @Override
    public <T> T call(String host, Supplier<T> work) {
        try {
            return work.get();
        } catch (CollisionException e) {
            throw new CollisionException("call of", "host " + host, e);
        } catch (StoreException e) {
            throw new StoreException("call of", "host " + host, e);
        }
    }

    /** Asks all hosts, in the order of their names. */
    <T> List<T> each(Function<ScheduleStore, T> ask) {
        List<T> answers = new ArrayList<>();
        stores.forEach((host, store) -> answers.add(call(host, () -> ask.apply(store))));
        return answers;
    }

    @Override
    public <R> SortedMap<String, R> write(Collection<String> hosts, HostsWrite<R> write) {
        while (true) {
            try (HostTransaction transaction = new HostTransaction(this)) {
                write.prepare(transaction);
                return transaction.write(hosts, write);
            } catch (CollisionException e) {
                write.collided(e);
            }
        }
    }

    @Override
    public TimerStore with(BiFunction<String, ScheduleStore, ScheduleStore> other) {
        SortedMap<String, ScheduleStore> changed = new TreeMap<>();
        stores.forEach((name, store) -> changed.put(name, other.apply(name, store)));
        return new HostSet(new HostStores(changed, roles, everywhere));
    }
}

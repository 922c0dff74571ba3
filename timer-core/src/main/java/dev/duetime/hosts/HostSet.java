package dev.duetime.hosts;

import dev.duetime.Beta;
import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.StableHash;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Correlated;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A set of several stores, the hosts, over which timers are spread. So queues can outgrow one server. Give the set to a
 * scheduler as its store. The scheduler runs loops of its own for each host, so a host that is away delays no other.
 *
 * <pre>{@code
 * HostSet hosts = HostSet.builder()
 *         .host("east", JdbcScheduleStore.of(east))
 *         .host("west", JdbcScheduleStore.of(west))
 *         .build();
 * Scheduler scheduler = Scheduler.builder().store(hosts).publisher(publisher).build();
 * }</pre>
 *
 * <p>A timer lies where its routing key says: its sharding key, else its parallel key, else its correlation key, else
 * its own key; all of a queue of one shard lie together. The host follows from the key and the <em>names</em> of the
 * hosts, which must be the same in all processes and are never changed. A timer stays where it is when hosts are added.
 *
 * <p>A schedule of several timers writes in one transaction a host, and commits them one after the other once all are
 * written: if a host fails in between, some are stored, which the error says; repeating the call is safe. All else that
 * concerns several hosts is atomic on each of them, and no more. Where a host is away, what concerns the others goes
 * on; errors name the host. Thread-safe, if its stores are.
 */
@Beta
public final class HostSet implements ScheduleStore {
    private final SortedMap<String, ScheduleStore> hosts;
    private final SortedMap<String, HostRanking.Role> roles;
    private final HostRanking ranking;
    private final boolean everywhere;
    private final HostPlaces places;

    HostSet(SortedMap<String, ScheduleStore> hosts, SortedMap<String, HostRanking.Role> roles, boolean everywhere) {
        this.hosts = Collections.unmodifiableSortedMap(new TreeMap<>(hosts));
        this.roles = Collections.unmodifiableSortedMap(new TreeMap<>(roles));
        this.everywhere = everywhere;
        List<HostRanking.Host> ranked = new ArrayList<>();
        roles.forEach((name, role) -> ranked.add(new HostRanking.Host(name, role)));
        ranking = new HostRanking(ranked);
        places = new HostPlaces(this, everywhere);
    }

    /** Begins to name the hosts. */
    public static HostSetBuilder builder() {
        return new HostSetBuilder();
    }

    /** Returns the stores by the names of their hosts, in the order of the names. */
    public SortedMap<String, ScheduleStore> hosts() {
        return hosts;
    }

    /** Returns the names of the hosts: first those that were there from the start, then the others. */
    public List<String> oldestFirst() {
        return hosts.keySet().stream()
                .sorted(Comparator.comparing((String name) -> Objects.requireNonNull(roles.get(name))))
                .toList();
    }

    /** Returns the set of the same hosts with other stores, such as ones that measure or fail. */
    public HostSet with(BiFunction<String, ScheduleStore, ScheduleStore> other) {
        SortedMap<String, ScheduleStore> changed = new TreeMap<>();
        hosts.forEach((name, store) -> changed.put(name, other.apply(name, store)));
        return new HostSet(changed, roles, everywhere);
    }

    /**
     * Returns the host of new timers with this sharding, parallel or correlation key; of those on a queue of one shard,
     * give the queue's name instead. Asks no host.
     */
    public String hostOf(String routingKey) {
        return ranking.home(StableHash.of(routingKey));
    }

    /**
     * Returns the host of a new timer with this key and no sharding, parallel or correlation key, on a queue of several
     * shards. Asks no host.
     */
    public String hostOf(TimerKey key) {
        return ranking.home(HostRanking.hash(key));
    }

    /**
     * Returns which timers, by their indexes, lie on which hosts: where their key stands already, else where a timer
     * waits that they may be merged with, else at their home. Of one key that is given twice, with two routing keys,
     * the first place counts. Only of keys that hosts which were added or are draining may have moved are others asked
     * than the home.
     *
     * @throws StoreException if a host is away that has to be asked
     */
    public SortedMap<String, List<Integer>> places(List<NewTimer> timers) {
        return places.of(timers, this::store);
    }

    /**
     * Returns the same as a caller's transaction sees it, and reads on its host by it: a look from outside would wait
     * for what it has locked.
     *
     * @param writes what {@link #in} returned
     * @throws IllegalArgumentException if it was not
     */
    public SortedMap<String, List<Integer>> places(List<NewTimer> timers, TimerWrites writes) {
        if (writes instanceof JoinedWrites joined) {
            return places.of(timers, joined::on);
        }
        if (writes instanceof HostWrites several) {
            return places.of(timers, several::on);
        }
        throw unknown(writes);
    }

    /**
     * Names the host that a caller's transaction is of, for {@link #in}.
     *
     * @throws IllegalArgumentException if there is no such host
     */
    public Transaction on(String host, Transaction transaction) {
        return new OnHost(known(host), transaction);
    }

    /**
     * Returns the part of a caller's transaction that writes on a host.
     *
     * @param writes what {@link #in} returned
     * @param key the timer that lies there
     * @throws IllegalArgumentException if the transaction is of another host
     */
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

    /** Runs work on a host, whose failures it gives the host's name. */
    public <T> T call(String host, Supplier<T> work) {
        try {
            return work.get();
        } catch (CollisionException e) {
            throw new CollisionException("call of", "host " + host, e);
        } catch (StoreException e) {
            throw new StoreException("call of", "host " + host, e);
        }
    }

    private String known(String host) {
        if (!hosts.containsKey(host)) {
            throw new IllegalArgumentException("host must be one of %s but was %s".formatted(hosts.keySet(), host));
        }
        return host;
    }

    HostPlaces places() {
        return places;
    }

    HostRanking ranking() {
        return ranking;
    }

    private HostWrites writes() {
        return new HostWrites(this, this::store, true);
    }

    /**
     * Joins a transaction of one host, named by {@link #on}. What lies on other hosts is refused, before anything is
     * written.
     *
     * @throws IllegalArgumentException if no host is named, or its store cannot join this kind of transaction
     */
    @Override
    public TimerWrites in(Transaction transaction) {
        if (transaction instanceof HostTransaction own) {
            return own.writes();
        }
        if (transaction instanceof OnHost named) {
            ScheduleStore store = store(named.host);
            return new JoinedWrites(this, named.host, store.in(named.transaction));
        }
        throw new IllegalArgumentException(
                "transaction must name its host, by HostSet.on(host, transaction), one of %s, but was a %s"
                        .formatted(hosts.keySet(), transaction.getClass().getName()));
    }

    @Override
    public HostTransaction begin() {
        return new HostTransaction(this);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return writes().schedule(timers);
    }

    @Override
    public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return writes().scheduleEach(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return writes().cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return writes().find(key);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return writes().settle(settlements);
    }

    @Override
    public Correlated correlated() {
        return writes().correlated();
    }

    @Override
    public ListStore todos() {
        return writes().todos();
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return HostAdmin.page(each(store -> store.query(query)), StoredTimer::key, query.limit());
    }

    @Override
    public DueTimers due(DueQuery query) {
        return HostDue.merge(each(store -> store.due(query)), query.limit());
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return HostDue.earliest(each(store -> store.nextDue(queue, shards, after)));
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return ranking.all(HostRanking.hash(key)).stream()
                .anyMatch(host -> call(host, () -> store(host).start(key, generation, now)));
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        int purged = 0;
        for (String host : hosts.keySet()) {
            int left = limit - purged;
            purged += left == 0 ? 0 : call(host, () -> store(host).purge(queue, before, left));
        }
        return purged;
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return HostDue.sum(each(store -> store.pending(queue, shards, atMost)), atMost);
    }

    /**
     * Returns leases for who uses the set as one store: each is of a shard on all hosts, and kept on the first one. A
     * scheduler takes the leases of each host.
     */
    @Override
    public ShardLeases leases() {
        return new HostLeases(this);
    }

    @Override
    public StoreAdmin admin() {
        return new HostAdmin(this);
    }

    /**
     * Returns the store of a host.
     *
     * @throws IllegalArgumentException if there is no such host
     */
    public ScheduleStore store(String host) {
        return Objects.requireNonNull(hosts.get(known(host)));
    }

    /** Asks all hosts, in the order of their names. */
    <T> List<T> each(Function<ScheduleStore, T> ask) {
        List<T> answers = new ArrayList<>();
        hosts.forEach((host, store) -> answers.add(call(host, () -> ask.apply(store))));
        return answers;
    }

    private record OnHost(String host, Transaction transaction) implements Transaction {}
}

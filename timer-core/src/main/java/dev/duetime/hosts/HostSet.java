package dev.duetime.hosts;

import dev.duetime.Beta;
import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.Inside;
import dev.duetime.internal.StableHash;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerStore;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
public final class HostSet implements TimerStore {
    static {
        Inside.open(HostSet.class, set -> set.hosts);
    }

    private final HostStores hosts;
    private final HostWrites writes;

    HostSet(HostStores hosts) {
        this.hosts = hosts;
        writes = new HostWrites(hosts, hosts::store, true);
    }

    /** Begins to name the hosts. */
    public static HostSetBuilder builder() {
        return new HostSetBuilder();
    }

    /**
     * Returns the host of new timers with this sharding, parallel or correlation key. For a queue of one shard, give
     * the queue's name instead. Asks no host.
     */
    public String hostOf(String routingKey) {
        return hosts.ranking().home(StableHash.of(routingKey));
    }

    /**
     * Returns the host of a new timer with this key and no sharding, parallel or correlation key, on a queue of several
     * shards. Asks no host.
     */
    public String hostOf(TimerKey key) {
        return hosts.ranking().home(HostRanking.hash(key));
    }

    /**
     * Names the host of a caller's transaction, for {@link #in}.
     *
     * @throws IllegalArgumentException if there is no such host
     */
    public Transaction on(String host, Transaction transaction) {
        return new OnHost(hosts.known(host), transaction);
    }

    /**
     * Joins a transaction of one host, named by {@link #on}. A call that concerns timers on other hosts is refused
     * before anything is written. It also joins a transaction that the set has begun.
     *
     * @throws IllegalArgumentException if no host is named, or its store cannot join this kind of transaction
     */
    @Override
    public TimerWrites in(Transaction transaction) {
        if (transaction instanceof HostTransaction own) {
            return own.writes();
        }
        if (transaction instanceof OnHost named) {
            return new JoinedWrites(hosts, named.host, hosts.store(named.host).in(named.transaction));
        }
        throw new IllegalArgumentException(
                "transaction must name its host, by HostSet.on(host, transaction), one of %s, but was a %s"
                        .formatted(hosts.names(), transaction.getClass().getName()));
    }

    /**
     * Begins a transaction on each host that is written to, with the first write there. They are committed one after
     * the other, in the order of the hosts' names. The writes on one host are all or nothing. The writes on all hosts
     * together are not, if a host fails between two commits: then the error names the committed hosts.
     */
    @Override
    public OwnTransaction begin() {
        return new HostTransaction(hosts);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return writes.schedule(timers);
    }

    @Override
    public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return writes.scheduleEach(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return writes.cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return writes.find(key);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return writes.settle(settlements);
    }

    @Override
    public Correlated correlated() {
        return writes.correlated();
    }

    @Override
    public ListStore todos() {
        return writes.todos();
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return HostAdmin.page(hosts.each(store -> store.query(query)), StoredTimer::key, query.limit());
    }

    @Override
    public StoreAdmin admin() {
        return new HostAdmin(hosts);
    }

    private record OnHost(String host, Transaction transaction) implements Transaction {}
}

package dev.duetime.engine.hosts;

import dev.duetime.CancelResult;
import dev.duetime.Clock;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.Health;
import dev.duetime.engine.Engine;
import dev.duetime.engine.LocalNode;
import dev.duetime.engine.operate.BulkOperations;
import dev.duetime.engine.operate.CancelGuard;
import dev.duetime.engine.operate.Operations;
import dev.duetime.engine.operate.StoreBulk;
import dev.duetime.engine.operate.Upkeep;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.schedule.ElsewhereException;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.schedule.TimerResolver;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.Generations;
import dev.duetime.hosts.HostSet;
import dev.duetime.internal.Inside;
import dev.duetime.internal.RetryTurns;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node with an engine for each host of a host set. Each engine has its own clock, leases, loops and outages, so that
 * a host that is away does not delay the others. The node sends each timer to the engine of its host. Thread-safe.
 */
public final class HostNode implements LocalNode, TimerResolver.Queues {
    private final HostSet set;
    private final Hosts hosts;
    private final NodeSettings node;
    private final HostEngines engines;
    private final TimerResolver resolver;
    private final Generations generations;
    private final Operations operations;
    private final RetryTurns retries = new RetryTurns(Merging.RETRIES_AT_ONCE, () -> clock().nanoTime());

    /**
     * Opens the queues on all hosts that are there.
     *
     * @param clock the time, or what carries that of each host
     * @param ofStores whether the time is that of each host
     * @throws StoreException if no host is there
     * @throws IllegalStateException if a queue has not as many shards on all hosts
     */
    public HostNode(HostSet set, Clock clock, boolean ofStores, NodeSettings node, List<QueueSettings> queues) {
        this.set = set;
        hosts = Inside.of(set, Hosts.class);
        this.node = node;
        generations = new Generations(node.random());
        resolver = new TimerResolver(node, generations, this, set, this::now);
        engines = new HostEngines(hosts, clock, ofStores, node, queues, resolver, this::scheduleElsewhere);
        operations = new Operations(
                new HostBulk(hosts, this::bulk),
                new HostQueues(engines, List.copyOf(hosts.stores().keySet())));
    }

    private BulkOperations bulk(ScheduleStore store) {
        return new StoreBulk(store, clock(), generations::next, new CancelGuard(engines::deliveries), engines::wakeAll);
    }

    private Instant now() {
        return clock().now();
    }

    /** Returns the time by which callers schedule: that of the first host that was there. */
    public Clock clock() {
        return engines.clock();
    }

    @Override
    public void start(List<Upkeep> upkeep) {
        engines.start(upkeep);
    }

    @Override
    public void close() {
        engines.close();
    }

    @Override
    public boolean knows(String queue) {
        return engines.shards().containsKey(queue);
    }

    @Override
    public Set<String> queues() {
        return Set.copyOf(engines.shards().keySet());
    }

    @Override
    public int shards(String queue) {
        return engines.shards().getOrDefault(queue, 1);
    }

    @Override
    public void refreshClock() {
        engines.refreshClock();
    }

    /** Timers of one host are stored by its engine; those of several hosts by one transaction a host. */
    @Override
    public List<ScheduleResult> schedule(Collection<Timer> timers) {
        List<NewTimer> resolved = resolver.resolve(timers, set);
        if (resolved.isEmpty()) {
            return List.of();
        }
        SortedMap<String, List<Integer>> places = hosts.places(resolved);
        if (places.size() == 1) {
            String host = places.firstKey();
            return engines.call(host, engine -> engine.store(resolved));
        }
        return together(new HostBatch(engines, resolved, places));
    }

    private List<ScheduleResult> together(HostBatch batch) {
        try {
            return batch.store(hosts, clock(), retries);
        } catch (RuntimeException | Error e) {
            engines.engines().forEach((host, engine) -> engine.schedules().mayBeStored(batch.part(host)));
            throw e;
        }
    }

    /** Stores durably the timers that a handler on a host schedules on other hosts. Returns those of its own host. */
    private List<NewTimer> scheduleElsewhere(String host, List<NewTimer> timers) {
        try {
            SortedMap<String, List<Integer>> places = hosts.places(timers);
            List<Integer> own = places.remove(host);
            if (!places.isEmpty()) {
                together(new HostBatch(engines, timers, places));
            }
            return own == null ? List.of() : own.stream().map(timers::get).toList();
        } catch (StoreException e) {
            throw new ElsewhereException(e);
        }
    }

    /** All that is refused is so before anything is written. */
    @Override
    public List<ScheduleResult> schedule(Collection<Timer> given, TimerWrites transaction) {
        List<NewTimer> timers = resolver.resolve(given, transaction);
        if (timers.isEmpty()) {
            return List.of();
        }
        SortedMap<String, List<Integer>> places = hosts.places(timers, transaction);
        SortedMap<String, TimerWrites> writes = new TreeMap<>();
        places.forEach((host, indexes) -> writes.put(
                host, hosts.part(transaction, host, timers.get(indexes.get(0)).key())));
        HostBatch batch = new HostBatch(engines, timers, places);
        return batch.results(host ->
                engines.call(host, engine -> engine.store(batch.part(host), Objects.requireNonNull(writes.get(host)))));
    }

    @Override
    public CancelResult cancel(TimerKey key, TimerWrites writes) {
        CancelResult result = Engine.cancel(key, writes, engines.deliveries(), clock().now());
        node.listeners().cancelled(key, result);
        return result;
    }

    @Override
    public Operations operations() {
        return operations;
    }

    @Override
    public Listeners listener() {
        return node.listeners();
    }

    @Override
    public Health health() {
        return engines.health(clock().now());
    }
}

package dev.duetime.testkit.simulation;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** The leases of the store, as one process calls them. The simulation is the store's clock. */
final class SimulatedLeases implements ShardLeases {
    private final ShardLeases leases;
    private final NodeProcess process;

    SimulatedLeases(ShardLeases leases, NodeProcess process) {
        this.leases = leases;
        this.process = process;
    }

    @Override
    public Instant now() {
        return process.call(StoreCall.NOW, process::storeNow, now -> null);
    }

    @Override
    public int open(String queue, OptionalInt shards) {
        return process.call(StoreCall.OPEN, () -> leases.open(queue, shards), count -> null);
    }

    @Override
    public ShardMap view(String queue) {
        return process.call(StoreCall.VIEW, () -> leases.view(queue), map -> null);
    }

    @Override
    public Map<String, ShardMap> views(Collection<String> queues) {
        return process.call(StoreCall.VIEW, () -> leases.views(queues), maps -> null);
    }

    @Override
    public Set<String> free() {
        return process.call(StoreCall.FREE, leases::free, queues -> null);
    }

    @Override
    public Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
        return process.call(
                StoreCall.ACQUIRE,
                () -> leases.acquire(queue, shards, node, now, until),
                got -> new Event.Acquired(new TreeSet<>(got), now, until));
    }

    @Override
    public int renew(String node, Instant until) {
        return process.call(StoreCall.RENEW, () -> leases.renew(node, until), count -> new Event.Renewed(until, count));
    }

    @Override
    public void release(String queue, Collection<Integer> shards, String node) {
        Set<Integer> given = new TreeSet<>(shards);
        process.call(
                StoreCall.RELEASE,
                () -> {
                    leases.release(queue, shards, node);
                    return given;
                },
                Event.Released::new);
    }
}

package dev.duetime.testkit.fault;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The ownership of shards as one node reaches it: through faults. As thread-safe as the store. */
final class FaultyLeases implements ShardLeases {
    private final ShardLeases leases;
    private final StoreFaults faults;

    FaultyLeases(ShardLeases leases, StoreFaults faults) {
        this.leases = leases;
        this.faults = faults;
    }

    @Override
    public Instant now() {
        return faults.call(StoreCall.NOW, leases::now);
    }

    @Override
    public int open(String queue, OptionalInt shards) {
        return faults.call(StoreCall.OPEN, () -> leases.open(queue, shards));
    }

    @Override
    public void restore(String queue, int shards) {
        faults.run(StoreCall.OPEN, () -> leases.restore(queue, shards));
    }

    @Override
    public ShardMap view(String queue) {
        return faults.call(StoreCall.VIEW, () -> leases.view(queue));
    }

    @Override
    public Map<String, ShardMap> views(Collection<String> queues) {
        return faults.call(StoreCall.VIEW, () -> leases.views(queues));
    }

    @Override
    public Set<String> free() {
        return faults.call(StoreCall.FREE, leases::free);
    }

    @Override
    public Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
        return faults.call(StoreCall.ACQUIRE, () -> leases.acquire(queue, shards, node, now, until));
    }

    @Override
    public int renew(String node, Instant until) {
        return faults.call(StoreCall.RENEW, () -> leases.renew(node, until));
    }

    @Override
    public void release(String queue, Collection<Integer> shards, String node) {
        faults.run(StoreCall.RELEASE, () -> leases.release(queue, shards, node));
    }

    @Override
    public void letGo() {
        leases.letGo();
    }
}

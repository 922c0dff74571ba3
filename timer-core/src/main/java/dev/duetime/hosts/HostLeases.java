package dev.duetime.hosts;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import java.time.Instant;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.Set;

/** The leases of the set as one store, kept on its first host. Thread-safe. */
final class HostLeases implements ShardLeases {
    private final HostSet set;
    private final String first;

    HostLeases(HostSet set) {
        this.set = set;
        first = set.hosts().firstKey();
    }

    private ShardLeases leases() {
        return set.store(first).leases();
    }

    @Override
    public Instant now() {
        return set.call(first, () -> leases().now());
    }

    @Override
    public int open(String queue, OptionalInt shards) {
        String oldest = set.oldestFirst().get(0);
        int count = set.call(oldest, () -> set.store(oldest).leases().open(queue, shards));
        set.hosts()
                .forEach((host, store) -> checkShards(
                        queue, host, set.call(host, () -> store.leases().open(queue, OptionalInt.of(count))), count));
        return count;
    }

    private void checkShards(String queue, String host, int has, int count) {
        if (has != count) {
            throw new IllegalStateException(
                    "queue %s must have as many shards on all hosts but has %d on %s and %d on %s"
                            .formatted(queue, count, set.oldestFirst().get(0), has, host));
        }
    }

    @Override
    public ShardMap view(String queue) {
        return set.call(first, () -> leases().view(queue));
    }

    @Override
    public Set<String> free() {
        return set.call(first, () -> leases().free());
    }

    @Override
    public Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
        return set.call(first, () -> leases().acquire(queue, shards, node, now, until));
    }

    @Override
    public int renew(String node, Instant until) {
        return set.call(first, () -> leases().renew(node, until));
    }

    @Override
    public void release(String queue, Collection<Integer> shards, String node) {
        set.call(first, () -> {
            leases().release(queue, shards, node);
            return first;
        });
    }

    @Override
    public void letGo() {
        leases().letGo();
    }
}

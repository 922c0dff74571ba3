package dev.duetime.testkit;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import java.time.Instant;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.Set;

/** Leases that pass on every call. A test overrides what should go wrong. */
public class PassThroughLeases implements ShardLeases {
    final ShardLeases intact;

    public PassThroughLeases(ShardLeases intact) {
        this.intact = intact;
    }

    @Override
    public Instant now() {
        return intact.now();
    }

    @Override
    public int open(String queue, OptionalInt shards) {
        return intact.open(queue, shards);
    }

    @Override
    public void restore(String queue, int shards) {
        intact.restore(queue, shards);
    }

    @Override
    public ShardMap view(String queue) {
        return intact.view(queue);
    }

    @Override
    public Set<String> free() {
        return intact.free();
    }

    @Override
    public Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
        return intact.acquire(queue, shards, node, now, until);
    }

    @Override
    public int renew(String node, Instant until) {
        return intact.renew(node, until);
    }

    @Override
    public void release(String queue, Collection<Integer> shards, String node) {
        intact.release(queue, shards, node);
    }

    @Override
    public void letGo() {
        intact.letGo();
    }
}

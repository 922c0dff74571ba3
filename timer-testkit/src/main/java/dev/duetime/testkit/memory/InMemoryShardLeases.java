package dev.duetime.testkit.memory;

import dev.duetime.Clock;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The leases of shards, in memory. Thread-safe: one lock. */
final class InMemoryShardLeases implements ShardLeases {
    private final ReentrantLock lock = new ReentrantLock();
    private final Clock clock;
    private final int defaultShards;

    // Mutable state, guarded by lock.
    private final Map<String, Queue> queues = new TreeMap<>();

    /** Read without the lock. */
    private final AtomicLong changes = new AtomicLong();

    InMemoryShardLeases(Clock clock, int defaultShards) {
        this.clock = clock;
        this.defaultShards = checkShards(defaultShards);
    }

    /** Returns how often a shard was opened, acquired or released. A renewal is no change. */
    long changes() {
        return changes.get();
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public int open(String queue, OptionalInt shards) {
        int wanted = checkShards(shards.orElse(defaultShards));
        return locked(() -> {
            List<Lease> leases = of(queue).leases;
            if (leases.isEmpty()) {
                changes.incrementAndGet();
                for (int shard = 0; shard < wanted; shard++) {
                    leases.add(new Lease(shard, null, 0, null));
                }
            }
            return leases.size();
        });
    }

    @Override
    public ShardMap view(String queue) {
        return locked(() -> new ShardMap(List.copyOf(of(queue).leases), Map.copyOf(of(queue).announced)));
    }

    @Override
    public Set<String> free() {
        return locked(() -> queues.entrySet().stream()
                .filter(each -> each.getValue().leases.stream().anyMatch(lease -> lease.owner() == null))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet()));
    }

    @Override
    public Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
        return locked(() -> {
            changes.incrementAndGet();
            of(queue).announced.put(node, until);
            Set<Integer> given = new TreeSet<>();
            of(queue).leases.replaceAll(lease -> {
                boolean wanted = shards.contains(lease.shard());
                if (!wanted || (lease.isHeld(now) && !node.equals(lease.owner()))) {
                    return lease;
                }
                given.add(lease.shard());
                return new Lease(lease.shard(), node, lease.epoch() + 1, until);
            });
            return given;
        });
    }

    @Override
    public int renew(String node, Instant until) {
        return locked(() -> {
            List<Lease> renewed = new ArrayList<>();
            for (Queue queue : queues.values()) {
                queue.leases.replaceAll(lease -> {
                    if (!node.equals(lease.owner())) {
                        return lease;
                    }
                    Lease longer = new Lease(lease.shard(), node, lease.epoch(), until);
                    renewed.add(longer);
                    return longer;
                });
            }
            return renewed.size();
        });
    }

    @Override
    public void release(String queue, Collection<Integer> shards, String node) {
        locked(() -> {
            changes.incrementAndGet();
            of(queue)
                    .leases
                    .replaceAll(lease -> shards.contains(lease.shard()) && node.equals(lease.owner())
                            ? new Lease(lease.shard(), null, lease.epoch(), null)
                            : lease);
            return of(queue).announced.remove(node) != null;
        });
    }

    private static int checkShards(int shards) {
        if (shards < 1) {
            throw new IllegalArgumentException("shards must be at least 1 but was " + shards);
        }
        return shards;
    }

    private Queue of(String queue) {
        return queues.computeIfAbsent(queue, name -> new Queue(new ArrayList<>(), new TreeMap<>()));
    }

    private <R> R locked(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private record Queue(List<Lease> leases, Map<String, Instant> announced) {}
}

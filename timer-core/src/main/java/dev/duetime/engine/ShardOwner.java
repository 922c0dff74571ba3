package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is one turn of the node's ownership loop: renews its leases, and gives back or takes shards where it holds more or less
 * than its fair share. Run by one thread; {@link #owned} is read by any.
 */
final class ShardOwner implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(ShardOwner.class);
    private static final int RENEWALS_A_LEASE = 3;
    private static final long AFTER_LAPSE_NANOS = 1_000_000;

    private final NodeSettings node;
    private final ShardLeases leases;
    private final Clock clock;
    private final Takeover takeover;
    private final Outage outage;
    private final Map<String, Set<Integer>> held = new ConcurrentHashMap<>();
    private final Map<String, Instant> nextView = new ConcurrentHashMap<>();

    private volatile long validUntilNanos;

    /** Is told of shards that this node gets. */
    interface Takeover {
        /** Called before the node owns a shard whose former owner has vanished. */
        void vanished(String queue, Lease lapsed);

        /** Called when the node owns more shards of the queue. */
        void acquired(String queue);
    }

    ShardOwner(NodeSettings node, ShardLeases leases, Clock clock, Set<String> queues, Takeover takeover) {
        this.node = node;
        this.leases = leases;
        this.clock = clock;
        this.takeover = takeover;
        this.outage = new Outage("store, for the leases of node " + node.nodeId(), node.random());
        queues.forEach(queue -> held.put(queue, Set.of()));
        validUntilNanos = clock.nanoTime();
    }

    /** Returns the shards that this node may deliver from: none once its own lease is over. */
    Set<Integer> owned(String queue) {
        boolean over = clock.nanoTime() - validUntilNanos >= 0;
        return over ? Set.of() : held.getOrDefault(queue, Set.of());
    }

    @Override
    public Instant run() {
        try {
            renew();
            for (String queue : held.keySet()) {
                if (!clock.now().isBefore(nextView.getOrDefault(queue, Instant.MIN))) {
                    balance(queue);
                }
            }
            outage.over(clock.now());
            return PollPass.earlier(clock.now().plus(renewEvery()), earliestView());
        } catch (StoreException e) {
            return outage.failed(e, clock.now());
        }
    }

    private void renew() {
        boolean wasOver = clock.nanoTime() - validUntilNanos >= 0;
        int expected = held.values().stream().mapToInt(Set::size).sum();
        long validUntil = clock.nanoTime() + node.leaseDuration().toNanos();
        if (expected == 0) {
            validUntilNanos = validUntil;
            return;
        }
        int renewed = leases.renew(node.nodeId(), clock.now().plus(node.leaseDuration()));
        if (renewed != expected) {
            LOG.info("node {} holds {} shards instead of {}: others took over", node.nodeId(), renewed, expected);
            nextView.clear();
            held.keySet().forEach(this::forgetLost);
        }
        validUntilNanos = validUntil;
        if (wasOver) {
            held.keySet().forEach(takeover::acquired);
        }
    }

    private void forgetLost(String queue) {
        held.put(queue, mine(leases.view(queue)));
    }

    /** Moves towards the fair share: the shards of the queue divided by the nodes that are alive on it, rounded up. */
    private void balance(String queue) {
        Instant now = clock.now();
        Instant until = now.plus(node.leaseDuration());
        ShardMap map = leases.view(queue);
        Set<Integer> mine = mine(map);
        recover(queue, map, mine, now);
        int nodes = liveNodes(map, now).size();
        int share = (map.leases().size() + nodes - 1) / nodes;
        if (mine.size() > share) {
            List<Integer> surplus = mine.stream().sorted().skip(share).toList();
            surplus.forEach(mine::remove);
            held.put(queue, Set.copyOf(mine));
            leases.release(queue, surplus, node.nodeId());
            LOG.info(
                    "node {} gives back {} shards of queue {} to {} nodes",
                    node.nodeId(),
                    surplus.size(),
                    queue,
                    nodes);
        }
        List<Lease> wanted = map.leases().stream()
                .filter(lease -> !lease.isHeld(now) && !mine.contains(lease.shard()))
                .limit(Math.max(0, share - mine.size()))
                .toList();
        if (wanted.isEmpty()) {
            held.put(queue, Set.copyOf(mine));
        } else {
            acquire(queue, wanted, mine, until);
        }
        boolean waiting = mine.size() < share && isAnyoneOver(share, map, now);
        if (waiting) {
            leases.announce(queue, node.nodeId(), until);
        }
        nextView.put(queue, PollPass.earlier(now.plus(renewEvery()), whenOthersLapse(map, now)));
    }

    /** Takes up what a former process of this name held. */
    private void recover(String queue, ShardMap map, Set<Integer> mine, Instant now) {
        Set<Integer> known = held.getOrDefault(queue, Set.of());
        if (known.containsAll(mine)) {
            return;
        }
        map.leases().stream()
                .filter(lease -> mine.contains(lease.shard()) && !known.contains(lease.shard()))
                .forEach(lease -> takeover.vanished(
                        queue,
                        new Lease(
                                lease.shard(), lease.owner(), lease.epoch(), lease.isHeld(now) ? now : lease.until())));
        held.put(queue, Set.copyOf(mine));
        takeover.acquired(queue);
    }

    private void acquire(String queue, List<Lease> wanted, Set<Integer> mine, Instant until) {
        List<Integer> shards = wanted.stream().map(Lease::shard).toList();
        Set<Integer> got = leases.acquire(queue, shards, node.nodeId(), clock.now(), until);
        List<Lease> lapsed = wanted.stream()
                .filter(lease -> lease.owner() != null && got.contains(lease.shard()))
                .toList();
        lapsed.forEach(lease -> takeover.vanished(queue, lease));
        mine.addAll(got);
        held.put(queue, Set.copyOf(mine));
        if (!got.isEmpty()) {
            LOG.info(
                    "node {} owns {} more shards of queue {}, {} of them from nodes that are gone",
                    node.nodeId(),
                    got.size(),
                    queue,
                    lapsed.size());
            takeover.acquired(queue);
        }
    }

    /** Gives all shards back, so that other nodes need not wait for the leases to end. */
    void release(String queue) {
        Set<Integer> shards = held.getOrDefault(queue, Set.of());
        held.put(queue, Set.of());
        if (!shards.isEmpty()) {
            leases.release(queue, shards, node.nodeId());
        }
    }

    private Set<Integer> mine(ShardMap map) {
        return map.leases().stream()
                .filter(lease -> node.nodeId().equals(lease.owner()))
                .map(Lease::shard)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Set<String> liveNodes(ShardMap map, Instant now) {
        Set<String> nodes = new HashSet<>(Set.of(node.nodeId()));
        map.leases().stream()
                .filter(lease -> lease.isHeld(now))
                .map(Lease::owner)
                .forEach(nodes::add);
        map.announced().forEach((name, until) -> {
            if (!until.isBefore(now)) {
                nodes.add(name);
            }
        });
        return nodes;
    }

    private static boolean isAnyoneOver(int share, ShardMap map, Instant now) {
        return map.leases().stream()
                .filter(lease -> lease.isHeld(now))
                .collect(Collectors.groupingBy(lease -> String.valueOf(lease.owner()), Collectors.counting()))
                .values()
                .stream()
                .anyMatch(shards -> shards > share);
    }

    /** Returns when the first lease of another node ends if it is not renewed, at most a lease from now. */
    private Instant whenOthersLapse(ShardMap map, Instant now) {
        return map.leases().stream()
                .filter(lease -> lease.isHeld(now) && !node.nodeId().equals(lease.owner()))
                .map(Lease::until)
                .filter(Objects::nonNull)
                .map(until -> until.plusNanos(AFTER_LAPSE_NANOS))
                .reduce(now.plus(node.leaseDuration()), PollPass::earlier);
    }

    private Duration renewEvery() {
        return node.leaseDuration().dividedBy(RENEWALS_A_LEASE);
    }

    private Instant earliestView() {
        return nextView.values().stream().reduce(Instant.MAX, PollPass::earlier);
    }
}

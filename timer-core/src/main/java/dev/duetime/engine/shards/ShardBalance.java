package dev.duetime.engine.shards;

import dev.duetime.Clock;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.internal.Times;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a queue's shards towards the fair share of this node: it takes shards, and gives shards back. Used by the
 * thread of the ownership loop.
 */
final class ShardBalance {
    private static final Logger LOG = LoggerFactory.getLogger(ShardBalance.class);

    /** How soon to ask again whether deliveries have ended that delay the return of their shard. */
    private static final Duration WHILE_LEAVING = Duration.ofMillis(100);

    /** How long a node that is alone, from its start or since others left, checks for others at each renewal. */
    static final Duration EXPECT_OTHERS = Duration.ofMinutes(1);

    /** How long after a move of shards more may follow: nodes of a deploy start and stop one after the other. */
    private static final Duration MOVING = Duration.ofMinutes(1);

    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration AFTER_LAPSE = Duration.ofMillis(1);

    private final NodeSettings node;
    private final String self;
    private final ShardLeases leases;
    private final Clock clock;
    private final Takeover queues;
    private final LeaseTimes times;
    private final VoidLeases voidLeases = new VoidLeases();
    private final MissingShards missingShards;
    private final AtomicLong writes = new AtomicLong();
    private volatile BiConsumer<String, Set<Integer>> changes = (queue, shards) -> {};

    ShardBalance(NodeSettings node, ShardLeases leases, Clock clock, Takeover queues, LeaseTimes times) {
        this.node = node;
        this.self = node.nodeId().toString();
        this.leases = leases;
        this.clock = clock;
        this.queues = queues;
        this.times = times;
        missingShards = new MissingShards(leases);
    }

    /**
     * Moves the shards of each queue towards the fair share.
     *
     * @param seen leases that need not be read; those of the other queues are read by one statement
     */
    void balance(List<QueueShards> queues, Map<String, ShardMap> seen) {
        List<String> unseen = queues.stream()
                .filter(each -> each.succeeded && !seen.containsKey(each.queue))
                .map(each -> each.queue)
                .toList();
        Map<String, ShardMap> maps = new HashMap<>(seen);
        if (unseen.size() > 1) {
            maps.putAll(leases.views(unseen));
        }
        queues.forEach(each -> balance(each, maps.get(each.queue)));
    }

    private void balance(QueueShards held, @Nullable ShardMap seen) {
        String queue = held.queue;
        ShardMap map = missingShards.restored(
                held, !held.succeeded ? succeed(held) : seen == null ? leases.view(queue) : seen);
        if (FairShare.showsLapsed(map, self, clock.now())) {
            times.readClockAgain();
        }
        Instant now = clock.now();
        Instant until = now.plus(times.lease());
        voidLeases.warn(queue, map, now);
        Set<String> silent = held.silentNodes.in(map, now, clock.nanoTime(), times.lease());
        boolean yields = held.undivided
                && held.yields(held.known().size(), FairShare.othersHold(map, self, now), clock.nanoTime());
        FairShare fair = new FairShare(map, self, now, silent, FairShare.Division.of(held.undivided, yields));
        Set<Integer> mine = new HashSet<>(fair.mine());
        forgetLost(held, mine);
        Set<Integer> before = held.kept.shards();
        recover(held, fair, now, until);
        mine.retainAll(held.known());
        List<Integer> surplus = fair.surplus();
        surplus.forEach(mine::remove);
        held.divide(mine, surplus);
        if (!before.containsAll(mine)) {
            queues.acquired(queue);
        }
        if (!surplus.isEmpty()) {
            giveBack(held, surplus);
        }
        List<Lease> wanted = fair.wanted(node.random(), times.mayTakeLapsed());
        Set<Integer> missed = new HashSet<>();
        if (!wanted.isEmpty() || fair.isWaiting(mine)) {
            wanted.forEach(lease -> missed.add(lease.shard()));
            missed.removeAll(acquire(held, wanted, now, until));
        }
        Duration retry = held.acquireRetry.after(missed);
        noteMoves(held, fair, !surplus.isEmpty() || !wanted.isEmpty() || fair.isWaiting(mine), clock.nanoTime());
        hintIfWaiting(held, fair.isWaiting(mine));
        held.situation = fair.situation();
        held.shared = fair.isShared();
        held.isAlone = !held.shared && mine.size() == map.leases().size();
        if (held.shared) {
            held.expectOthersUntilNanos = clock.nanoTime() + EXPECT_OTHERS.toNanos();
        }
        held.viewAtNanos =
                clock.nanoTime() + untilNextView(held, fair, retry, now).toNanos();
    }

    /** Shards rarely move, but if they do, more of them may follow soon. */
    private static void noteMoves(QueueShards held, FairShare fair, boolean moves, long nowNanos) {
        FairShare.Holders holders = fair.holders();
        if (moves || !holders.equals(held.holders)) {
            held.movingUntilNanos = nowNanos + MOVING.toNanos();
        }
        held.holders = holders;
    }

    /** Sends a hint when the node begins to wait for its share, so that others notice before their next view. */
    private void hintIfWaiting(QueueShards held, boolean waits) {
        if (waits && !held.hasAsked) {
            changes.accept(held.queue, Set.of());
        }
        held.hasAsked = waits;
    }

    private Duration untilNextView(QueueShards held, FairShare fair, Duration retry, Instant now) {
        Duration next = retry.isZero() ? untilOthersMayLapse(held, fair, now) : retry;
        boolean soon = !held.leaving.shards().isEmpty() || !times.mayTakeLapsed();
        return soon && next.compareTo(WHILE_LEAVING) > 0 ? WHILE_LEAVING : next;
    }

    private Duration untilOthersMayLapse(QueueShards held, FairShare fair, Instant now) {
        if (!fair.isShared()) {
            return times.isPast(held.expectOthersUntilNanos) || times.isWatched() ? times.lease() : times.renewEvery();
        }
        Instant renewal = now.plus(times.isWatched() ? times.lease() : times.renewEvery());
        return Duration.between(now, fair.whenOthersLapse(renewal)).plus(AFTER_LAPSE);
    }

    /** Forgets the shards of which this node has no lease any more. */
    void forgetLost(QueueShards held, Set<Integer> mine) {
        if (held.forgetLost(mine, node.listeners())) {
            queues.ownsOnly(held.queue, held.known());
        }
    }

    /**
     * Gives shards back, except those with unsettled deliveries: the next owner would repeat them. Nothing is read from
     * a shard that is no longer held, so there come no more of them.
     */
    private void giveBack(QueueShards held, List<Integer> surplus) {
        Set<Integer> inDelivery = queues.inDelivery(held.queue);
        List<Integer> free =
                surplus.stream().filter(shard -> !inDelivery.contains(shard)).toList();
        if (!free.isEmpty()) {
            release(held, free);
            held.leaving = held.leaving.in(inDelivery);
            node.listeners()
                    .shardsReleased(held.queue, free.size(), held.known().size());
            LOG.info("node {} gives back {} shards of queue {}", self, free.size(), held.queue);
        }
    }

    private void release(QueueShards held, Collection<Integer> shards) {
        writes.incrementAndGet();
        try {
            leases.release(held.queue, shards, self);
        } finally {
            writes.incrementAndGet();
        }
        if (held.shared && !shards.isEmpty()) {
            changes.accept(held.queue, Set.copyOf(shards));
        }
    }

    /** Returns how often this node has begun or ended a write of leases. Leases that were read before are outdated. */
    long writes() {
        return writes.get();
    }

    /** Sets the receiver of shards that this node has freed; none if it waits for shards of others. */
    void onChange(BiConsumer<String, Set<Integer>> receiver) {
        changes = receiver;
    }

    /** Takes over at once, when the node begins, the shards of a former process on it: that one does not come back. */
    private ShardMap succeed(QueueShards held) {
        Instant now = clock.now();
        Instant until = now.plus(times.lease());
        ShardMap map = leases.view(held.queue);
        List<Lease> left = map.leases().stream()
                .filter(lease -> lease.owner() != null && node.nodeId().isOtherProcess(lease.owner()))
                .toList();
        if (!left.isEmpty()) {
            // Those leases count as ended. One that is renewed meanwhile is longer than any seen here, and stays.
            Instant after = left.stream()
                    .map(lease -> lease.until() == null ? now : lease.until())
                    .reduce(now, Times::later)
                    .plus(TICK);
            acquire(held, FairShare.overBy(left, now), after, until);
            map = leases.view(held.queue);
        }
        held.succeeded = true;
        return map;
    }

    /** Acquires again, with leases that last, the shards that this node acquired without learning so. */
    private void recover(QueueShards held, FairShare fair, Instant now, Instant until) {
        List<Lease> unknown = fair.unknown(held.known());
        if (!unknown.isEmpty()) {
            acquire(held, unknown, now, until);
        }
    }

    /** Returns the shards that the node got. */
    private Set<Integer> acquire(QueueShards held, List<Lease> wanted, Instant now, Instant until) {
        List<Integer> shards = wanted.stream().map(Lease::shard).toList();
        Set<Integer> got;
        writes.incrementAndGet();
        try {
            got = leases.acquire(held.queue, shards, self, now, until);
        } finally {
            writes.incrementAndGet();
        }
        if (got.isEmpty()) {
            return got;
        }
        queues.cameFromOthers(
                held.queue,
                wanted.stream()
                        .filter(lease -> got.contains(lease.shard()) && !self.equals(lease.owner()))
                        .map(Lease::shard)
                        .collect(Collectors.toSet()));
        List<Lease> lapsed = wanted.stream()
                .filter(lease -> lease.owner() != null && got.contains(lease.shard()))
                .toList();
        lapsed.forEach(lease -> queues.vanished(held.queue, endedBy(lease, now)));
        held.acquired(got);
        LOG.info(
                "node {} owns {} more shards of queue {}, {} of them from nodes that are gone",
                self,
                got.size(),
                held.queue,
                lapsed.size());
        node.listeners()
                .shardsAcquired(held.queue, got.size(), held.kept.shards().size());
        queues.acquired(held.queue);
        return got;
    }

    /** An owner whose lease was void vanished by now, not by the end of the lease. */
    private static Lease endedBy(Lease lease, Instant now) {
        return VoidLeases.isVoid(lease, now) ? new Lease(lease.shard(), lease.owner(), lease.epoch(), now) : lease;
    }

    /**
     * Releases whatever the store still shows as this node's, of a queue that is left to others. A release leaves out a
     * row that another transaction holds, and each renewal would extend that lease.
     */
    void releaseRemaining(QueueShards held) {
        Set<Integer> mine = FairShare.mine(leases.view(held.queue), self);
        if (!mine.isEmpty()) {
            release(held, mine);
        }
    }

    /** Gives all shards back, so that other nodes need not wait for the leases to end; the node is alive no more. */
    void releaseAll(QueueShards held) {
        if (held.succeeded) {
            Set<Integer> shards = held.known();
            // Until the store has released them, they are leaving: nothing is read from them, and the next try releases
            // them.
            held.divide(Set.of(), shards);
            release(held, shards);
            held.divide(Set.of(), Set.of());
            if (!shards.isEmpty()) {
                node.listeners().shardsReleased(held.queue, shards.size(), 0);
            }
        }
    }
}

package dev.duetime.engine.shards;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.internal.Times;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is one turn of the node's ownership loop: renews its leases, and gives back or takes shards where it holds more or
 * less than its fair share. Its own times are counted by the monotonic clock, so that no jump of the store's time keeps
 * it from renewing. Run by one thread; {@link #owned} is read by any.
 */
public final class ShardOwner implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(ShardOwner.class);
    private static final int RENEWALS_A_LEASE = 3;
    /** How often to look for shards that a node has left in good order, while there are other nodes. */
    private static final Duration WATCH = Duration.ofMillis(250);

    /** How soon to look whether the deliveries are over that hold up the return of their shard. */
    private static final Duration WHILE_LEAVING = Duration.ofMillis(100);

    /** How long a node that is alone, from its start or since others left, looks for others at each renewal. */
    private static final Duration EXPECT_OTHERS = Duration.ofMinutes(1);

    /** Longer than any loop waits before it tries the store again. */
    private static final Duration AFTER_OUTAGE = Duration.ofSeconds(2);

    /** A process that was stopped as a whole goes on at once: its loops are late for one turn of this one. */
    private static final int LATE_TURNS = 3;

    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration AFTER_LAPSE = Duration.ofMillis(1);
    /** When to look again after another node was quicker. */
    private static final Duration AFTER_RACE = Duration.ofMillis(10);

    /** A node stops this part of its lease before the end, so that what it runs has time to end. */
    private static final int STOPS_BEFORE = 20;

    private final NodeSettings node;
    private final String self;
    private final ShardLeases leases;
    private final Clock clock;
    private final Takeover takeover;
    private final Outage outage;
    private final Map<String, QueueShards> holdings = new LinkedHashMap<>();
    private final VoidLeases voidLeases = new VoidLeases();

    // Mutable state of the loop's thread, but for what is volatile.
    private volatile long validUntilNanos;
    private volatile boolean closed;
    private volatile Runnable whenRenewed = () -> {};
    private long renewAtNanos;
    /** Whether the last turn looked for others on all queues. */
    private boolean viewedAll;

    /**
     * Until then leases that are over are left alone: after an outage of the store all are, and their owners come back.
     */
    private long takeLapsedAtNanos;

    /** Is told of shards that this node gets. */
    public interface Takeover {
        /** Called before the node owns a shard whose former owner has vanished. */
        void vanished(String queue, Lease lapsed);

        /** Returns whether a loop of the queue that should have had a turn long ago had none. */
        default boolean isLate(String queue) {
            return false;
        }

        /** Called when the node owns more shards of the queue. */
        void acquired(String queue);

        /** Returns the shards from which timers may be in delivery that were read before this call. */
        Set<Integer> inDelivery(String queue);

        /** Called when the node has lost shards of the queue against its will: it owns these, or nothing. */
        void ownsOnly(String queue, Set<Integer> shards);
    }

    public ShardOwner(NodeSettings node, ShardLeases leases, Clock clock, Set<String> queues, Takeover takeover) {
        this.node = node;
        this.self = node.nodeId().toString();
        this.leases = leases;
        this.clock = clock;
        this.takeover = takeover;
        this.outage = new Outage(node.listeners().availability(Availability.STORE), node.random());
        validUntilNanos = clock.nanoTime();
        renewAtNanos = validUntilNanos;
        takeLapsedAtNanos = validUntilNanos;
        queues.forEach(queue ->
                holdings.put(queue, new QueueShards(queue, renewAtNanos, renewAtNanos + EXPECT_OTHERS.toNanos())));
    }

    /** Returns the shards that this node may deliver from: none once its own lease is over. */
    public Set<Integer> owned(String queue) {
        QueueShards holding = holdings.get(queue);
        return holding == null || isPast(validUntilNanos) ? Set.of() : holding.shards;
    }

    /** Returns until when, by the monotonic clock, this node may deliver unless it renews its leases. */
    long validUntilNanos() {
        return validUntilNanos;
    }

    /** Sets who is told when leases are renewed that had lapsed; before the first turn. */
    public void whenRenewed(Runnable told) {
        whenRenewed = told;
    }

    /** Returns why this node has owned nothing of a queue for a minute; null if it owns a shard, or did lately. */
    @Nullable
    public String whyNoShards(String queue) {
        QueueShards holding = holdings.get(queue);
        return holding == null ? null : holding.noShards.reason();
    }

    /** Returns the store's failures in a row, if the last turn met one. Called by any thread. */
    @Nullable
    public OngoingOutage storeOutage() {
        return outage.ongoing();
    }

    @Override
    public Instant run() {
        try {
            if (isPast(renewAtNanos)) {
                improveClock();
                renew();
            }
            Set<String> free = holdings.values().stream().anyMatch(each -> each.shared) ? leases.free() : Set.of();
            boolean viewsAll = isAlone() && holdings.values().stream().anyMatch(each -> isPast(each.viewAtNanos));
            viewedAll = viewsAll;
            for (QueueShards holding : holdings.values()) {
                if (leavesToOthers(holding)) {
                    continue;
                }
                if (viewsAll || isPast(holding.viewAtNanos) || free.contains(holding.queue)) {
                    balance(holding);
                }
            }
            outage.over(clock.now());
            holdings.values().forEach(each -> noteWhetherOwned(each, situation(each)));
            return clock.now().plusNanos(nanosToNextTurn());
        } catch (StoreException | OutOfMemoryError e) {
            holdings.values().forEach(each -> noteFailure(each, e));
            return outage.failed(e, clock.now());
        } finally {
            if (closed) {
                leases.letGo();
            }
        }
    }

    private void noteWhetherOwned(QueueShards holding, Supplier<String> situation) {
        holding.noShards.note(!owned(holding.queue).isEmpty(), clock.nanoTime(), situation);
    }

    private void noteFailure(QueueShards holding, Throwable e) {
        boolean owns = !owned(holding.queue).isEmpty();
        holding.noShards.noteFailure(owns, clock.nanoTime(), () -> "the store fails: " + ErrorText.of(e));
    }

    private Supplier<String> situation(QueueShards holding) {
        return holding.shards.isEmpty()
                ? () -> holding.situation
                : () -> "the database takes longer to answer than the lease of " + node.leaseDuration() + " lasts";
    }

    /** A clock that is far behind, since the store was slow to answer, makes this node late and its leases short. */
    private void improveClock() {
        if (clock instanceof StoreClock storeClock && storeClock.isFarBehind()) {
            storeClock.resample();
        }
    }

    /** A queue of which a loop has ended, whatever ended it, is left to other nodes. */
    private boolean leavesToOthers(QueueShards holding) {
        holding.lateTurns = takeover.isLate(holding.queue) ? holding.lateTurns + 1 : 0;
        if (holding.lateTurns < LATE_TURNS) {
            return false;
        }
        if (holding.lateTurns == LATE_TURNS) {
            LOG.error("a loop of queue {} has stopped: its shards are left to other nodes", holding.queue);
        }
        if (!holding.known().isEmpty()) {
            release(holding.queue);
        }
        holding.viewAtNanos = clock.nanoTime() + renewEvery().toNanos();
        return true;
    }

    /** A node that is alone and meets no outage only renews, once it has looked for others. */
    @Override
    public Instant idleUntil() {
        if (outage.ongoing() != null || isPast(validUntilNanos) || !isPast(takeLapsedAtNanos) || !isAlone()) {
            return Instant.MIN;
        }
        long viewAtNanos = holdings.values().stream()
                .mapToLong(each -> each.viewAtNanos)
                .min()
                .orElse(renewAtNanos);
        return viewedAll ? LeftOutTurns.FAR : LeftOutTurns.at(viewAtNanos, clock);
    }

    /** Returns whether nobody else was there at the last look, and nobody is expected. */
    private boolean isAlone() {
        return holdings.values().stream().allMatch(each -> each.isAlone && isPast(each.expectOthersUntilNanos));
    }

    /** Nobody saw the lease lapse: it is renewed as by the last turn that was left out. */
    @Override
    public Instant leftOut() {
        long renewal = LeftOutTurns.last(renewAtNanos, renewEvery(), clock);
        if (renewal != Long.MIN_VALUE) {
            leases.renew(self, LeftOutTurns.at(renewal, clock).plus(node.leaseDuration()));
            renewAtNanos = renewal + renewEvery().toNanos();
            validUntilNanos = renewal + validNanos();
        }
        for (QueueShards holding : holdings.values()) {
            long view = LeftOutTurns.last(holding.viewAtNanos, node.leaseDuration(), clock);
            holding.viewAtNanos = view == Long.MIN_VALUE
                    ? holding.viewAtNanos
                    : view + node.leaseDuration().toNanos();
        }
        return clock.now().plusNanos(nanosToNextTurn());
    }

    private void renew() {
        int expected =
                holdings.values().stream().mapToInt(each -> each.known().size()).sum();
        long now = clock.nanoTime();
        int renewed = expected == 0 ? 0 : leases.renew(self, clock.now().plus(node.leaseDuration()));
        if (renewed != expected) {
            LOG.info("node {} holds {} shards and knew of {}", self, renewed, expected);
            for (QueueShards holding : holdings.values()) {
                forgetLost(holding, FairShare.mine(leases.view(holding.queue), self));
                holding.viewAtNanos = now;
            }
        }
        boolean wasOver = isPast(validUntilNanos);
        if (wasOver && expected > 0) {
            takeLapsedAtNanos = now + AFTER_OUTAGE.toNanos();
        }
        renewAtNanos = now + renewEvery().toNanos();
        validUntilNanos = now + validNanos();
        if (wasOver) {
            whenRenewed.run();
            holdings.keySet().forEach(takeover::acquired);
        }
    }

    /** Returns how long after its renewal a lease counts, for this node. */
    private long validNanos() {
        long lease = node.leaseDuration().toNanos();
        return lease - lease / STOPS_BEFORE - mostBehindNanos();
    }

    private void forgetLost(QueueShards holding, Set<Integer> mine) {
        if (holding.forgetLost(mine, node.listeners())) {
            takeover.ownsOnly(holding.queue, holding.known());
        }
    }

    /** A clock that is behind writes leases that are over, for the others, before this node has measured them out. */
    private long mostBehindNanos() {
        return clock instanceof StoreClock storeClock ? storeClock.mostBehindNanos() : 0;
    }

    /** Moves towards the fair share. */
    private void balance(QueueShards holding) {
        String queue = holding.queue;
        ShardMap map = holding.succeeded ? leases.view(queue) : succeed(holding);
        if (FairShare.showsLapsed(map, self, clock.now())) {
            resampleClock();
        }
        Instant now = clock.now();
        Instant until = now.plus(node.leaseDuration());
        voidLeases.tell(queue, map, now);
        FairShare fair = new FairShare(map, self, now);
        Set<Integer> mine = new HashSet<>(fair.mine());
        forgetLost(holding, mine);
        Set<Integer> before = holding.shards;
        recover(holding, fair, now, until);
        mine.retainAll(holding.known());
        List<Integer> surplus = fair.surplus();
        surplus.forEach(mine::remove);
        holding.leaving = Set.copyOf(surplus);
        holding.shards = Set.copyOf(mine);
        if (!before.containsAll(mine)) {
            takeover.acquired(queue);
        }
        if (!surplus.isEmpty()) {
            giveBack(holding, surplus);
        }
        List<Lease> wanted = fair.wanted(node.random(), isPast(takeLapsedAtNanos));
        boolean gotAll = true;
        if (!wanted.isEmpty() || fair.isWaiting(mine)) {
            gotAll = acquire(holding, wanted, now, until) == wanted.size();
        }
        holding.situation = fair.situation();
        holding.shared = fair.isShared();
        holding.isAlone = !holding.shared && mine.size() == map.leases().size();
        if (holding.shared) {
            holding.expectOthersUntilNanos = clock.nanoTime() + EXPECT_OTHERS.toNanos();
        }
        Duration nextView = gotAll ? untilNextView(holding, fair, now) : AFTER_RACE;
        boolean soon = !holding.leaving.isEmpty() || !isPast(takeLapsedAtNanos);
        if (soon && nextView.compareTo(WHILE_LEAVING) > 0) {
            nextView = WHILE_LEAVING;
        }
        holding.viewAtNanos = clock.nanoTime() + nextView.toNanos();
    }

    /**
     * Gives shards back, but those from which deliveries are to be settled first, or the next owner would repeat them.
     * Nothing is read from a shard that is no longer held, so those under way by now are all there are.
     */
    private void giveBack(QueueShards holding, List<Integer> surplus) {
        Set<Integer> inDelivery = takeover.inDelivery(holding.queue);
        List<Integer> free =
                surplus.stream().filter(shard -> !inDelivery.contains(shard)).toList();
        if (!free.isEmpty()) {
            leases.release(holding.queue, free, self);
            holding.leaving = surplus.stream().filter(inDelivery::contains).collect(Collectors.toUnmodifiableSet());
            node.listeners()
                    .shardsReleased(holding.queue, free.size(), holding.known().size());
            LOG.info("node {} gives back {} shards of queue {}", self, free.size(), holding.queue);
        }
    }

    private Duration untilNextView(QueueShards holding, FairShare fair, Instant now) {
        if (!fair.isShared()) {
            return isPast(holding.expectOthersUntilNanos) ? node.leaseDuration() : renewEvery();
        }
        Instant renewal = now.plus(renewEvery());
        return Duration.between(now, fair.whenOthersLapse(renewal)).plus(AFTER_LAPSE);
    }

    /** Before a lease counts as over or void, the time is made sure of: this node's may be the one that is wrong. */
    private void resampleClock() {
        if (clock instanceof StoreClock storeClock) {
            storeClock.resample();
        }
    }

    /** Takes over at once, when the node begins, what a former process on it held: that one does not come back. */
    private ShardMap succeed(QueueShards holding) {
        Instant now = clock.now();
        Instant until = now.plus(node.leaseDuration());
        ShardMap map = leases.view(holding.queue);
        List<Lease> left = map.leases().stream()
                .filter(lease -> lease.owner() != null && node.nodeId().isOtherProcess(lease.owner()))
                .toList();
        if (!left.isEmpty()) {
            // Those leases count as over; one that is renewed meanwhile is longer than any seen here, and stays.
            Instant after = left.stream()
                    .map(lease -> lease.until() == null ? now : lease.until())
                    .reduce(now, Times::later)
                    .plus(TICK);
            acquire(holding, FairShare.overBy(left, now), after, until);
            map = leases.view(holding.queue);
        }
        holding.succeeded = true;
        return map;
    }

    /** Takes up, with leases that last, what this node acquired though it did not learn so. */
    private void recover(QueueShards holding, FairShare fair, Instant now, Instant until) {
        List<Lease> unknown = fair.unknown(holding.known());
        if (!unknown.isEmpty()) {
            acquire(holding, unknown, now, until);
        }
    }

    /** Returns how many shards the node got. */
    private int acquire(QueueShards holding, List<Lease> wanted, Instant now, Instant until) {
        List<Integer> shards = wanted.stream().map(Lease::shard).toList();
        Set<Integer> got = leases.acquire(holding.queue, shards, self, now, until);
        if (got.isEmpty()) {
            return 0;
        }
        List<Lease> lapsed = wanted.stream()
                .filter(lease -> lease.owner() != null && got.contains(lease.shard()))
                .toList();
        lapsed.forEach(lease -> takeover.vanished(holding.queue, endedBy(lease, now)));
        Set<Integer> owned = new HashSet<>(holding.shards);
        owned.addAll(got);
        holding.shards = Set.copyOf(owned);
        LOG.info(
                "node {} owns {} more shards of queue {}, {} of them from nodes that are gone",
                self,
                got.size(),
                holding.queue,
                lapsed.size());
        node.listeners().shardsAcquired(holding.queue, got.size(), owned.size());
        takeover.acquired(holding.queue);
        return got.size();
    }

    /** An owner whose lease was void vanished by now, not by the end of the lease. */
    private static Lease endedBy(Lease lease, Instant now) {
        return lease.isVoid(now) ? new Lease(lease.shard(), lease.owner(), lease.epoch(), now) : lease;
    }

    /** Gives all shards back, so that other nodes need not wait for the leases to end, and is alive no more. */
    public void release(String queue) {
        QueueShards holding = holdings.get(queue);
        if (holding != null && holding.succeeded) {
            Set<Integer> shards = holding.known();
            holding.shards = Set.of();
            holding.leaving = Set.of();
            leases.release(queue, shards, self);
            if (!shards.isEmpty()) {
                node.listeners().shardsReleased(queue, shards.size(), 0);
            }
        }
        if (closed) {
            leases.letGo();
        }
    }

    /** Lets go of what the store keeps for an owner; what still runs does so when it ends. */
    public void close() {
        closed = true;
        leases.letGo();
    }

    private Duration renewEvery() {
        return node.leaseDuration().dividedBy(RENEWALS_A_LEASE);
    }

    private boolean isPast(long nanos) {
        return clock.nanoTime() - nanos >= 0;
    }

    private long nanosToNextTurn() {
        long now = clock.nanoTime();
        long nanos = renewAtNanos - now;
        for (QueueShards holding : holdings.values()) {
            nanos = Math.min(nanos, holding.viewAtNanos - now);
            nanos = holding.shared ? Math.min(nanos, WATCH.toNanos()) : nanos;
        }
        return Math.max(nanos, 0);
    }
}

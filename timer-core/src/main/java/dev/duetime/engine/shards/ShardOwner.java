package dev.duetime.engine.shards;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.Times;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ownership loop of a node. Each turn renews the node's leases. If the node holds less than its fair share of a
 * queue, it takes shards; if it holds more, it gives shards back. Run by one thread; {@link #owned} is read by any.
 */
public final class ShardOwner implements Clock.Pass {
    /** How often to ask for released shards, while there are other nodes. */
    private static final Duration WATCH = Duration.ofMillis(250);

    private final NodeSettings node;
    private final ShardLeases leases;
    private final Clock clock;
    private final Takeover takeover;
    private final Outage outage;
    private final LeaseTimes times;
    private final ShardBalance balance;
    private final LeaseRenewal renewal;
    private final LeaseNews news;
    private final Map<String, QueueShards> heldByQueue = new LinkedHashMap<>();

    private volatile boolean closed;
    private volatile Runnable onRenewal = () -> {};
    /** Whether nodes hint at shards that they free. */
    private volatile boolean hinted;

    /** When to retry after a failure; news of another loop do not shorten the wait. */
    private long retryAtNanos;

    /** Whether other loops must learn of a renewal. An error may break off the turn that tells them. */
    private boolean announcesRenewal;

    /** Whether the last turn checked all queues for other nodes. */
    private boolean viewedAll;

    /**
     * Creates the loop.
     *
     * @param queues how many shards each queue has that this node serves, by name
     * @param undivided those of them whose shards one node must own together
     */
    public ShardOwner(
            NodeSettings node,
            ShardLeases leases,
            Clock clock,
            Map<String, Integer> queues,
            Set<String> undivided,
            Takeover takeover) {
        this.node = node;
        this.leases = leases;
        this.clock = clock;
        this.takeover = takeover;
        outage = new Outage(node.listeners().availability(Availability.STORE), node.random());
        times = new LeaseTimes(node.leaseDuration(), clock);
        balance = new ShardBalance(node, leases, clock, takeover, times);
        renewal = new LeaseRenewal(node.nodeId().toString(), leases, clock, times, balance, heldByQueue);
        news = new LeaseNews(clock, balance::writes);
        long now = times.renewAtNanos();
        long expectOthersUntil = now + ShardBalance.EXPECT_OTHERS.toNanos();
        queues.forEach((queue, shards) -> heldByQueue.put(
                queue, new QueueShards(queue, shards, undivided.contains(queue), now, expectOthersUntil, clock)));
    }

    /** Returns the shards that this node may deliver from: none once its own leases have ended. */
    public Set<Integer> owned(String queue) {
        return holding(queue).shards();
    }

    /** As {@link #owned}, in order, so that one of them can be chosen by a number at no cost. */
    public List<Integer> ownedInOrder(String queue) {
        return holding(queue).sorted();
    }

    /** Returns the shards that this node may deliver from, each with the number of its acquisition. */
    OwnedShards holding(String queue) {
        QueueShards held = heldByQueue.get(queue);
        return held == null || !times.isValid() ? OwnedShards.NONE : held.readable();
    }

    /** Returns until when, by the monotonic clock, this node may deliver unless it renews its leases. */
    long validUntilNanos() {
        return times.validUntilNanos();
    }

    /** Sets the action to run when leases that had ended are renewed. Must be called before the first turn. */
    public void onRenewal(Runnable action) {
        onRenewal = action;
    }

    /** Returns why this node has owned nothing of a queue for a minute; null if it owns a shard, or did lately. */
    @Nullable
    public String whyNoShards(String queue) {
        QueueShards held = heldByQueue.get(queue);
        return held == null ? null : held.noShards.reason();
    }

    /** Returns the store's failures in a row, if the last turn met one. Called by any thread. */
    @Nullable
    public OngoingOutage storeOutage() {
        return outage.ongoing();
    }

    private Collection<QueueShards> all() {
        return heldByQueue.values();
    }

    @Override
    public Instant run() {
        long wait = outage.ongoing() == null ? 0 : retryAtNanos - clock.nanoTime();
        return wait > 0 && !closed ? clock.now().plusNanos(wait) : turn();
    }

    private Instant turn() {
        try {
            if (times.isTimeToRenew()) {
                times.improveClock();
                renew();
            }
            boolean hint = news.takeHint();
            Map<String, ShardMap> seen = news.take();
            if (!seen.isEmpty()) {
                times.watched();
            }
            Set<String> free = all().stream().anyMatch(this::asksForFree) ? leases.free() : Set.of();
            viewedAll = isAlone() && all().stream().anyMatch(each -> times.isPast(each.viewAtNanos));
            List<QueueShards> left = all().stream().filter(this::leavesToOthers).toList();
            balance.balance(
                    all().stream()
                            .filter(each -> !left.contains(each))
                            .filter(each -> hint
                                    || viewedAll
                                    || times.isPast(each.viewAtNanos)
                                    || free.contains(each.queue)
                                    || seen.containsKey(each.queue))
                            .toList(),
                    hint || !free.isEmpty() ? Map.of() : seen);
            // Afterwards, so that a release that fails keeps no other queue from its shards.
            EndSteps.each(left, this::leave);
            outage.over(clock.now());
            all().forEach(each -> noteWhetherOwned(each, situation(each)));
            return clock.now().plusNanos(nanosToNextTurn());
        } catch (StoreException | OutOfMemoryError e) {
            all().forEach(each -> noteFailure(each, e));
            Instant now = clock.now();
            Instant retryAt = outage.failed(e, now);
            retryAtNanos = clock.nanoTime() + Duration.between(now, retryAt).toNanos();
            return retryAt;
        } finally {
            if (closed) {
                leases.letGo();
            }
        }
    }

    /** Hints tell of free shards, but old nodes send none, and some are lost. So it also asks while shards move. */
    private boolean asksForFree(QueueShards held) {
        return held.shared && (!hinted || !times.isPast(held.movingUntilNanos));
    }

    /** Returns where other loops leave what they learn of leases. */
    public LeaseNews news() {
        return news;
    }

    /**
     * Sets the receiver of changes that other nodes should know of: a queue and the shards that this node has freed; no
     * shards if it waits for those of others. Must be called before the first turn.
     */
    public void onChange(BiConsumer<String, Set<Integer>> receiver) {
        hinted = true;
        balance.onChange(receiver);
    }

    private void renew() {
        announcesRenewal |= renewal.renew();
        if (announcesRenewal) {
            onRenewal.run();
            heldByQueue.keySet().forEach(takeover::acquired);
            announcesRenewal = false;
        }
    }

    /** Returns whether to leave a queue to other nodes, because one of its loops is broken for any reason. */
    private boolean leavesToOthers(QueueShards held) {
        return held.trial.leaves(limit -> takeover.isLate(held.queue, limit), !held.shared);
    }

    /** Releases the shards of a queue that is left to others, until the store shows none as this node's. */
    private void leave(QueueShards held) {
        held.situation = "a loop of the queue has stopped, or fails in each turn";
        if (!held.known().isEmpty()) {
            takeover.ownsOnly(held.queue, Set.of());
            release(held.queue);
            // One may have begun before the release.
            takeover.ownsOnly(held.queue, Set.of());
        } else if (times.isPast(held.viewAtNanos)) {
            balance.releaseRemaining(held);
        } else {
            return;
        }
        held.viewAtNanos = clock.nanoTime() + times.renewEvery().toNanos();
    }

    /** Returns since when a loop has been broken whose queue is left to other nodes or on trial; null if none is. */
    @Nullable
    public Instant brokenSince() {
        return all().stream().map(each -> each.trial.since()).reduce(null, Times::earliest);
    }

    private void noteWhetherOwned(QueueShards held, Supplier<String> situation) {
        held.noShards.note(!owned(held.queue).isEmpty(), clock.nanoTime(), situation);
    }

    private void noteFailure(QueueShards held, Throwable e) {
        boolean owns = !owned(held.queue).isEmpty();
        held.noShards.noteFailure(owns, clock.nanoTime(), () -> "the store fails: " + ErrorText.of(e));
    }

    private Supplier<String> situation(QueueShards held) {
        return held.kept.shards().isEmpty() || times.isValid()
                ? () -> held.situation
                : () -> "the database takes longer to answer than the lease of " + node.leaseDuration() + " lasts";
    }

    private long nanosToNextTurn() {
        long now = clock.nanoTime();
        long nanos = times.renewAtNanos() - now;
        for (QueueShards held : all()) {
            nanos = Math.min(nanos, held.viewAtNanos - now);
            nanos = asksForFree(held) ? Math.min(nanos, WATCH.toNanos()) : nanos;
        }
        return Math.max(nanos, 0);
    }

    /**
     * Returns until when turns only renew leases. They do so if the node is alone, has checked that no other node
     * exists, and meets no outage.
     */
    @Override
    public Instant idleUntil() {
        if (outage.ongoing() != null || !times.isValid() || !times.mayTakeLapsed() || !isAlone()) {
            return Instant.MIN;
        }
        long viewAtNanos =
                all().stream().mapToLong(each -> each.viewAtNanos).min().orElse(times.renewAtNanos());
        return viewedAll ? LeftOutTurns.FAR : LeftOutTurns.at(viewAtNanos, clock);
    }

    /** It reads leases only. */
    @Override
    public Set<String> queuesRead() {
        return Set.of();
    }

    /** Returns whether no other node was there when the leases were read last, and none is expected. */
    private boolean isAlone() {
        return all().stream().allMatch(each -> each.isAlone && times.isPast(each.expectOthersUntilNanos));
    }

    /** No node saw the lease end, so it is renewed as the last skipped turn would have done. */
    @Override
    public Instant leftOut() {
        renewal.leaveOut();
        for (QueueShards held : all()) {
            long view = LeftOutTurns.last(held.viewAtNanos, times.lease(), clock);
            held.viewAtNanos = view == Long.MIN_VALUE
                    ? held.viewAtNanos
                    : view + times.lease().toNanos();
        }
        return clock.now().plusNanos(nanosToNextTurn());
    }

    /** Gives all shards of a queue back, so that other nodes need not wait for the leases to end. */
    public void release(String queue) {
        QueueShards held = heldByQueue.get(queue);
        if (held != null) {
            balance.releaseAll(held);
        }
        if (closed) {
            leases.letGo();
        }
    }

    /** Releases what the store keeps for an owner, such as a connection. A running turn repeats this when it ends. */
    public void close() {
        closed = true;
        leases.letGo();
    }
}

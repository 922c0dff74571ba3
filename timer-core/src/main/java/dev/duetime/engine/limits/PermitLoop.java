package dev.duetime.engine.limits;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.limits.LedgerPlan.Step;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.Permits;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Limit;
import dev.duetime.store.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange of shares in limits with other nodes. It begins with the first timer that needs a permit, and ends some
 * seconds after the last one. In between, one read and one write a turn serve all limits of the node. Run by one
 * thread, except {@link #add}, {@link #start} and {@link #giveBack}.
 */
public final class PermitLoop implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(PermitLoop.class);

    /** How often to exchange: at most, while timers wait for units that other nodes may have given back, */
    private static final Duration WHILE_WAITING = Duration.ofMillis(200);
    /** while other nodes share a limit, */
    private static final Duration WHILE_SHARED = Duration.ofMillis(250);
    /** while this node is alone, */
    private static final Duration WHILE_ALONE = Duration.ofMillis(500);
    /** and while no timer needs a permit, but the node keeps units for tenants. */
    private static final Duration WHILE_IDLE = Duration.ofSeconds(1);

    /** After this time at first, and then after twice as long each time, if other nodes were quicker. */
    private static final Duration AFTER_RACE = Duration.ofMillis(20);
    /** At this pace, each turn measures the use of a rate. */
    private static final Duration LONG_ENOUGH = Duration.ofMillis(100);

    private static final int RENEWALS_A_LEASE = 3;
    private static final int STOPS_BEFORE = 20;
    private static final int TRIES = 3;

    private final NodeSettings node;
    private final Permits permits;
    private final Clock clock;
    private final Outage outage;
    private final LedgerPlan planner;
    private final List<QueuePermits> queues = new ArrayList<>();

    private volatile Clock.@Nullable Loop loop;
    private volatile boolean waits;
    /** Whether the clock of a test was told that turns change nothing. */
    private volatile boolean idle;

    private volatile boolean closed;

    // Mutable state of the loop's thread.
    private long exchangedNanos;
    private boolean shared;
    /** Whether the node only keeps units, and no timer has needed a permit for a while. */
    private boolean keeps;

    private boolean hasExchanged;
    /** How long after the last turn the next one comes; zero if no other node was quicker in it. */
    private Duration afterRace = Duration.ZERO;
    /** Whether the last turn failed. */
    private boolean hasFailed;
    /** How many changes of the last write must wait: repeating them at once would be in vain. */
    private int unwritable;

    public PermitLoop(NodeSettings node, Permits permits, Clock clock) {
        this.node = node;
        this.permits = permits;
        this.clock = clock;
        outage = new Outage(node.listeners().availability(Availability.STORE), node.random());
        planner = new LedgerPlan(node.nodeId().toString());
    }

    /** Adds a queue, before the start. */
    public void add(QueuePermits queue) {
        if (queue.isLimited()) {
            queues.add(queue);
            queue.onDemand(this::demanded);
            queue.onUse(this::used);
        }
    }

    /** Starts the loop, if there are limits. */
    public void start(Clock watched) {
        if (!queues.isEmpty()) {
            closed = false;
            loop = watched.start("duetime-limits", this);
        }
    }

    /** Ends the loop. */
    public void close(Duration longest) {
        closed = true;
        Clock.Loop running = loop;
        if (running != null) {
            running.close(longest);
        }
    }

    private void demanded() {
        Clock.Loop running = loop;
        if (!waits && running != null) {
            waits = true;
            boolean woken = false;
            try {
                running.wakeAt(Instant.MIN);
                woken = true;
            } finally {
                // Else a full heap would let nobody wake it again.
                if (!woken) {
                    waits = false;
                }
            }
        }
    }

    /** What the last turn said of the next ones no longer holds. */
    private void used() {
        Clock.Loop running = loop;
        if (idle && running != null) {
            idle = false;
            boolean woken = false;
            try {
                running.wakeAt(Instant.MAX);
                woken = true;
            } finally {
                if (!woken) {
                    idle = true;
                }
            }
        }
    }

    @Override
    public Instant run() {
        boolean waited = waits;
        waits = false;
        hasFailed = false;
        if (closed || isQuiet()) {
            return Instant.MAX;
        }
        long now = clock.nanoTime();
        Duration pause = afterRace.isZero() ? pace(waited) : afterRace;
        long next = exchangedNanos + pause.toNanos();
        if (hasExchanged && next - now > 0) {
            waits = waited;
            return clock.now().plusNanos(next - now);
        }
        try {
            hasExchanged = true;
            exchangedNanos = now;
            boolean all = exchange(false);
            afterRace = all ? Duration.ZERO : afterRace.isZero() ? AFTER_RACE : afterRace.multipliedBy(2);
            afterRace = afterRace.compareTo(WHILE_WAITING) < 0 ? afterRace : WHILE_WAITING;
            outage.over(clock.now());
            return clock.now().plus(all ? pace(waits || isWaiting()) : afterRace);
        } catch (CollisionException | RefusedException e) {
            LOG.debug("the limits of this node cannot be written now: {}", ErrorText.of(e));
            hasFailed = true;
            return clock.now().plus(WHILE_SHARED);
        } catch (StoreException | OutOfMemoryError e) {
            hasFailed = true;
            return outage.failed(e, clock.now());
        }
    }

    /** A turn wakes the loops that get units, and the next ones may change nothing but the time of the measures. */
    @Override
    public Instant idleUntil() {
        Duration pace = pace(false);
        if (hasFailed || waits || shared || !hasExchanged || !afterRace.isZero() || pace.compareTo(LONG_ENOUGH) < 0) {
            return hasFailed ? Instant.MIN : clock.now();
        }
        long until = Long.MAX_VALUE;
        for (QueuePermits queue : queues) {
            for (HeldLimit limit : queue.limits()) {
                until = Math.min(until, queue.locked(now -> limit.nothingUntil(now, validNanos() / 2)));
            }
        }
        if (until == Long.MIN_VALUE || until == Long.MAX_VALUE) {
            return clock.now();
        }
        idle = true;
        return LeftOutTurns.at(until, clock);
    }

    @Override
    public Instant leftOut() {
        Duration pace = pace(false);
        long last = LeftOutTurns.last(exchangedNanos + pace.toNanos(), pace, clock);
        if (last != Long.MIN_VALUE) {
            exchangedNanos = last;
            queues.forEach(queue -> queue.locked(now -> {
                queue.limits().forEach(limit -> limit.leaveOut(last));
                return true;
            }));
        }
        return clock.now().plusNanos(Math.max(0, exchangedNanos + pace.toNanos() - clock.nanoTime()));
    }

    /** It reads the ledgers of the limits, not the timers. */
    @Override
    public Set<String> queuesRead() {
        Set<String> limited = new HashSet<>();
        queues.forEach(queue -> queue.limits().forEach(limit -> limited.add(limit.name.queue())));
        return limited;
    }

    private Duration pace(boolean waiting) {
        Duration renewal = node.leaseDuration().dividedBy(RENEWALS_A_LEASE);
        Duration pace = waiting ? WHILE_WAITING : keeps ? WHILE_IDLE : shared ? WHILE_SHARED : WHILE_ALONE;
        return pace.compareTo(renewal) < 0 ? pace : renewal;
    }

    private boolean isQuiet() {
        return queues.stream()
                .noneMatch(each -> each.locked(now -> each.limits().stream().anyMatch(limit -> limit.isActive(now))));
    }

    private boolean isWaiting() {
        return queues.stream()
                .anyMatch(each -> each.locked(now -> each.limits().stream()
                        .anyMatch(limit -> limit.refusals().wantMore())));
    }

    /** Exchanges shares. Returns whether no other node was quicker at the last try. */
    private boolean exchange(boolean closing) {
        for (int i = 0; i < TRIES; i++) {
            if (exchangeOnce(closing)) {
                return true;
            }
        }
        return false;
    }

    private boolean exchangeOnce(boolean closing) {
        long began = clock.nanoTime();
        Instant now = clock.now();
        Exchange exchange = new Exchange(permits.ledgers(), now, began, now.plus(node.leaseDuration()), closing);
        List<Change> changes = new ArrayList<>();
        Map<Limit, Step> steps = new HashMap<>();
        boolean othersThere = false;
        boolean quiet = true;
        for (QueuePermits queue : queues) {
            for (HeldLimit limit : queue.limits()) {
                Step step = queue.locked(nanos -> limit.isActive(nanos) ? planner.plan(limit, exchange, nanos) : null);
                if (step != null) {
                    othersThere |= step.isShared();
                    quiet &= queue.locked(limit::isQuiet);
                    boolean isRenewal =
                            step.change().share() != null && limit.units().validUntilNanos() - began < validNanos() / 2;
                    if (closing || step.isNews() || isRenewal) {
                        changes.add(step.change());
                        steps.put(limit.name, step);
                    }
                }
            }
        }
        shared = othersThere;
        keeps = quiet;
        Set<Limit> written = written(changes);
        long validUntil = began + validNanos();
        for (QueuePermits queue : queues) {
            boolean grew = false;
            for (HeldLimit limit : queue.limits()) {
                Step step = steps.get(limit.name);
                if (step != null && written.contains(limit.name)) {
                    grew |= queue.locked(nanos -> {
                        boolean more = step.usable() > limit.units().usable()
                                || nanos - limit.units().validUntilNanos() >= 0;
                        limit.grant(step, exchange.at(nanos), nanos, validUntil);
                        return more;
                    });
                }
            }
            if (grew) {
                queue.changed();
            }
        }
        return written.size() + unwritable == changes.size();
    }

    /**
     * Writes the changes. If another transaction holds one limit, or the database refuses one, the others are written
     * all the same.
     */
    private Set<Limit> written(List<Change> changes) {
        unwritable = 0;
        try {
            return permits.change(changes);
        } catch (CollisionException | RefusedException | DoubtfulException e) {
            if (changes.size() == 1) {
                throw e;
            }
            LOG.debug("a limit cannot be written now; each is written alone: {}", ErrorText.of(e));
        }
        hasFailed = true;
        Set<Limit> written = new HashSet<>();
        DoubtfulException doubt = null;
        for (Change each : changes) {
            try {
                written.addAll(permits.change(List.of(each)));
            } catch (CollisionException | RefusedException | DoubtfulException e) {
                unwritable++;
                doubt = e instanceof DoubtfulException doubtful ? doubtful : doubt;
                LOG.debug("{} cannot be written now: {}", each.limit(), ErrorText.of(e));
            }
        }
        if (doubt != null && written.isEmpty()) {
            throw doubt;
        }
        return written;
    }

    /** As long as a lease counts for its node: other nodes must not see it end before. */
    private long validNanos() {
        long nanos = node.leaseDuration().toNanos();
        long behind = clock instanceof StoreClock storeClock ? storeClock.mostBehindNanos() : 0;
        return nanos - nanos / STOPS_BEFORE - behind;
    }

    /**
     * Gives all units back, after the last delivery has ended, so that other nodes need not wait. If another
     * transaction holds the limits, or other nodes are quicker, it tries again a few times.
     */
    public void giveBack() {
        boolean isDone = queues.stream()
                .noneMatch(each -> each.locked(now -> each.limits().stream().anyMatch(it -> it.isActive(now))));
        for (int i = 0; i < TRIES && !isDone; i++) {
            try {
                isDone = exchange(true) && unwritable == 0;
            } catch (CollisionException e) {
                LOG.debug("the units of limits cannot be given back now: {}", ErrorText.of(e));
            } catch (StoreException e) {
                LOG.debug("the units of limits come free with their leases: {}", ErrorText.of(e));
                return;
            }
        }
    }
}

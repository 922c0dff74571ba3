package dev.duetime.engine.limits;

import dev.duetime.internal.Micros;
import dev.duetime.internal.Printable;
import dev.duetime.internal.Times;
import dev.duetime.store.Permits;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Share;
import dev.duetime.store.ShardLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The next step of a node towards its part of a limit. A node writes its own share only, and takes only units that
 * nobody holds. It stops using units before it writes that it gives them up. So the sum never exceeds the limit. Used
 * by one thread at a time.
 */
final class LedgerPlan {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerPlan.class);
    /** How many differences are logged: each tenant may have a limit. */
    private static final int MOST_WARNED = 1_000;

    private final String self;
    private final Set<String> warned = new HashSet<>();

    LedgerPlan(String self) {
        this.self = self;
    }

    /**
     * A change to write, and what holds once it is written.
     *
     * @param units how many units the node has then
     * @param usable how many of them it may use
     * @param added how many permits of a rate come with the new ones
     * @param isShared whether other nodes have a share
     * @param isNews whether something changes but the end of the share
     */
    record Step(Change change, int units, int usable, double added, boolean isShared, boolean isNews) {}

    /** Plans the step, and takes units that are given up out of use at once. Called under the lock of the limit. */
    Step plan(HeldLimit limit, @Nullable Ledger known, Instant now, Instant until, long nanos, boolean closing) {
        Ledger ledger = known != null ? known : new Ledger(limit.name, Permits.UNWRITTEN, Instant.EPOCH, List.of());
        List<Share> others = new ArrayList<>();
        Set<String> removed = new HashSet<>();
        Instant freeSince = ledger.freeSince();
        Share own = null;
        for (Share each : ledger.shares()) {
            if (each.node().equals(self)) {
                own = each;
            } else if (isLive(each, now)) {
                others.add(each);
            } else {
                removed.add(each.node());
                // Nobody knows how much of it was used.
                freeSince = Times.later(freeSince, Times.earlier(each.until(), now));
            }
        }
        if (own == null) {
            limit.shareEnded();
        }
        agree(limit, others);
        int total = limit.commonTotal;
        int held = own == null ? 0 : own.units();
        limit.shrink(held, limit.usable, nanos);
        int taken = others.stream().mapToInt(Share::units).sum();
        int free = Math.max(0, total - taken - held);
        int demand = closing || limit.isIdle(nanos) ? 0 : Math.min(total, limit.demand(nanos));
        Instant since = own == null ? now : own.since();
        int target = target(
                limit,
                others,
                new Share(self, held, demand, total, limit.spacing, since, until),
                now,
                closing || limit.isIdle(nanos));
        int units = target > held ? held + Math.min(target - held, free) : Math.max(target, limit.bound());
        // More timers may still run or begin than the node has units for, if it has lost some.
        units = Math.min(units, Math.max(held, held + free));
        int usable = Math.min(units, target);
        double filled = filled(limit, freeSince, now);
        int before = limit.units;
        double unused = limit.shrink(units, usable, nanos) * (before < held ? 0 : 1);
        if (units < before || units < held) {
            Instant asIfSince = Micros.ceil(now.minusNanos((long) (unused * fillNanos(limit))));
            freeSince = free > 0 ? Times.later(freeSince, asIfSince) : asIfSince;
        }
        boolean isGone = units == 0 && demand == 0;
        if (isGone) {
            removed.add(self);
        } else if ((units == 0) != (held == 0)) {
            since = now;
        }
        Share share = isGone ? null : new Share(self, units, demand, limit.total, limit.spacing, since, until);
        Change change = new Change(limit.name, ledger.version(), freeSince, share, removed);
        boolean isNews = own == null
                || isGone
                || units != held
                || usable != limit.usable
                || limit.units != held
                || !removed.isEmpty()
                || (!others.isEmpty() && isOther(demand, own.demand()))
                || own.total() != limit.total
                || own.spacing() != limit.spacing;
        double added = Math.max(0, units - held) * filled;
        return new Step(change, units, usable, added, !others.isEmpty(), isNews);
    }

    /** Returns whether the demand differs so much that other nodes should know. */
    private static boolean isOther(int demand, int written) {
        return (demand == 0) != (written == 0) || Math.abs(demand - written) > Math.max(demand, written) / 10;
    }

    private static boolean isLive(Share share, Instant now) {
        return share.until().isAfter(now) && !share.until().isAfter(now.plus(ShardLeases.FURTHEST));
    }

    private int target(HeldLimit limit, List<Share> others, Share own, Instant now, boolean idle) {
        int total = limit.commonTotal;
        if (idle) {
            return 0;
        }
        List<Share> all = new ArrayList<>(others);
        all.add(own);
        boolean wanted = others.stream().anyMatch(each -> each.demand() > each.units());
        Map<String, Integer> division = Division.of(all, total, now);
        int target = division.getOrDefault(self, 0);
        return target < own.units() && !wanted && own.units() <= total ? own.units() : target;
    }

    /** Returns which part of units that have been free since then is filled. */
    private static double filled(HeldLimit limit, Instant freeSince, Instant now) {
        if (!limit.isRate()) {
            return 0;
        }
        double nanos = Math.max(0, Duration.between(freeSince, now).toMillis() * 1e6);
        return Math.min(1, nanos / fillNanos(limit));
    }

    private static double fillNanos(HeldLimit limit) {
        return (double) limit.commonSpacing * limit.commonTotal;
    }

    /** Uses the smaller limit while nodes are configured differently, as during a rolling deploy. */
    private void agree(HeldLimit limit, List<Share> others) {
        int total = limit.total;
        long spacing = limit.spacing;
        for (Share each : others) {
            if (each.total() != limit.total || each.spacing() != limit.spacing) {
                total = Math.min(total, each.total());
                spacing = Math.max(spacing, each.spacing());
                if (warned.size() < MOST_WARNED && warned.add(limit.name + " " + each.node())) {
                    LOG.warn(
                            "queue {}: the limit \"{}\" differs between this node and {}; the smaller one holds until"
                                    + " they agree",
                            limit.name.queue(),
                            Printable.line(limit.name.name()),
                            Printable.line(each.node()));
                }
            }
        }
        limit.commonTotal = total;
        limit.commonSpacing = spacing;
    }
}

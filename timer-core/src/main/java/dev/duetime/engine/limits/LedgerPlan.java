package dev.duetime.engine.limits;

import dev.duetime.internal.Printable;
import dev.duetime.internal.Times;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Share;
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
     * @param added the new ones
     * @param isShared whether other nodes have a share
     * @param isNews whether something changes but the end of the share
     */
    record Step(Change change, int units, int usable, UnusedUnits added, boolean isShared, boolean isNews) {}

    /**
     * Plans the step, and takes units that are given up out of use at once. The limit keeps what they still hold until
     * the step is written: if another node was quicker, the next plan finds it there. Called under the limit's lock.
     */
    Step plan(HeldLimit limit, Exchange exchange, long nanos) {
        Ledger ledger = exchange.of(limit.name);
        List<Share> others = new ArrayList<>();
        List<Share> ended = new ArrayList<>();
        Share own = null;
        for (Share each : ledger.shares()) {
            if (each.node().equals(self)) {
                own = Exchange.isSound(each) ? each : null;
            } else if (exchange.isLive(each)) {
                others.add(each);
            } else {
                ended.add(each);
            }
        }
        if (own == null) {
            limit.shareEnded();
        }
        agree(limit, others);
        Instant now = exchange.now;
        int total = limit.units().total();
        int held = own == null ? 0 : own.units();
        limit.units().shrink(held, limit.units().usable(), nanos);
        long taken = others.stream().mapToLong(Share::units).sum();
        // Buckets have filled up until now. So must free units, or the time of the read would count twice.
        Instant at = exchange.at(nanos);
        UnusedUnits free = free(limit, exchange, at, (int) Math.max(0, total - taken - held), ended);
        boolean othersWant = others.stream().anyMatch(each -> each.demand() > each.units());
        boolean idle = exchange.closing || limit.isIdle(othersWant, nanos);
        int demand = idle ? 0 : Math.min(total, limit.demand(nanos));
        Instant since = own == null ? now : own.since();
        Share wanted = new Share(self, held, demand, total, limit.spacing, since, exchange.until);
        int target = idle ? 0 : target(limit, others, othersWant, wanted, exchange);
        int units = target > held
                ? held + Math.min(target - held, free.count())
                : Math.max(target, limit.units().bound());
        // More timers may still run or begin than the node has units for, if it has lost some.
        units = Math.min(units, held + free.count());
        int usable = Math.min(units, target);

        HeldUnits mine = limit.units();
        double fillNanos = mine.fillNanos();
        UnusedUnits parked =
                mine.parked(held, ledger.version(), at).and(mine.cut(units, usable, at, nanos), at, fillNanos);
        UnusedUnits gained = free.some(Math.max(0, units - held));
        UnusedUnits added = parked.some(Math.min(units, held) - mine.count()).and(gained, at, fillNanos);
        mine.park(parked, gained.count() > 0 ? added : parked, ledger.version());
        UnusedUnits left =
                free.and(parked.some(Math.max(0, held - units)), at, fillNanos).withoutFull(at, fillNanos);

        boolean isGone = units == 0 && demand == 0;
        Set<String> removed = new HashSet<>();
        ended.forEach(each -> removed.add(each.node()));
        if (isGone) {
            removed.add(self);
        } else if ((units == 0) != (held == 0)) {
            since = now;
        }
        Share share = isGone ? null : new Share(self, units, demand, limit.total, limit.spacing, since, exchange.until);
        Change change =
                new Change(limit.name, ledger.version(), left.levels().lowest(), share, removed, text(left, ledger));
        boolean isNews = isGone
                ? own != null || !ended.isEmpty()
                : own == null
                        || units != held
                        || usable != limit.units().usable()
                        || limit.units().count() != held
                        || !ended.isEmpty()
                        || (!others.isEmpty() && isOther(demand, own.demand()))
                        || own.total() != limit.total
                        || own.spacing() != limit.spacing;
        return new Step(change, units, usable, added, !others.isEmpty(), isNews);
    }

    /** Returns the units that nobody holds. Of those whose share has ended, everything counts as used until its end. */
    private static UnusedUnits free(HeldLimit limit, Exchange exchange, Instant now, int count, List<Share> ended) {
        TenantLevels levels = levels(exchange.of(limit.name));
        double fillNanos = limit.units().fillNanos();
        int left = count;
        UnusedUnits free = new UnusedUnits(0, levels);
        for (Share each : ended) {
            int units = Math.max(0, Math.min(each.units(), left));
            left -= units;
            free = free.and(new UnusedUnits(units, Times.earlier(each.until(), now)), now, fillNanos);
        }
        UnusedUnits before = exchange.isWritten(limit.name)
                ? new UnusedUnits(left, levels)
                : UnusedUnits.filledTo(1, left, now, fillNanos);
        return before.and(free, now, fillNanos);
    }

    /** Returns how full free units are. Without levels of tenants, the emptiest one counts for all. */
    private static TenantLevels levels(Ledger ledger) {
        TenantLevels levels = LevelsText.read(ledger.levels(), ledger.version());
        return levels != null ? levels : TenantLevels.of(ledger.freeSince());
    }

    /** Returns the levels of tenants as the change writes them; null if all tenants have the same. */
    private static @Nullable String text(UnusedUnits left, Ledger ledger) {
        return left.count() == 0 || left.levels().byTenant().isEmpty()
                ? null
                : LevelsText.write(left.levels(), ledger.version() + 1);
    }

    /** Returns whether the demand differs so much that other nodes should know. */
    private static boolean isOther(int demand, int written) {
        return (demand == 0) != (written == 0) || Math.abs(demand - written) > Math.max(demand, written) / 10;
    }

    /** Returns how many units the node should have. */
    private int target(HeldLimit limit, List<Share> others, boolean othersWant, Share own, Exchange exchange) {
        int total = limit.units().total();
        List<Share> all = new ArrayList<>(others);
        all.add(own);
        Map<String, Integer> division = Division.of(all, exchange.nodes(limit.name.queue()), total, exchange.now);
        int target = division.getOrDefault(self, 0);
        long free = total - others.stream().mapToLong(Share::units).sum();
        return target < own.units() && !othersWant && own.units() <= free ? own.units() : target;
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
        limit.units().agree(total, spacing);
    }
}

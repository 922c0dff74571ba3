package dev.duetime.engine.limits;

import dev.duetime.StoredTimer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The timers that a limit has refused: how many, and of which tenants. And how many units the node could use for these
 * and for those that wait for another limit and will need this one, too. Guarded by the lock of its queue's permits.
 */
final class Refusals {
    /** Timers that were refused are read again after this time, so that their number stays known. */
    static final long LASTING_NANOS = Duration.ofSeconds(1).toNanos();

    /** Permits of a rate are used in groups that arrive in this time, so that a fast rate costs few turns. */
    static final double GROUP_NANOS = Duration.ofMillis(50).toNanos();

    private static final int MOST_TENANTS = 1_000;

    /** Bounds memory if some tenants wait while timers of others come and go. */
    private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

    /** Bounds memory. */
    private static final int MOST_COUNTED = 100_000;

    private static final double ROUNDING = 1e-9;

    private final HeldUnits units;
    private final boolean byTenant;
    private final Set<String> tenants = new HashSet<>();
    private final Wants wants = new Wants();

    /**
     * When each timer was refused last, by its generation. A pass that leaves out blocked timers keeps what earlier
     * passes have found, and it may still meet some of these timers again.
     */
    private final Map<Long, Long> refusedAt = new HashMap<>();

    /** When timers that were refused long ago were removed last. */
    private long prunedNanos;

    private boolean some;

    /** Whether this pass has refused any. */
    private boolean someInPass;

    /** Whether any timer was ever refused. */
    private boolean wasRefused;

    private long atNanos;

    /** Since when timers have been refused again and again. */
    private long sinceNanos;

    /** Whether the permits that are free now were given back by timers that could not begin, and no other could. */
    private boolean foundNoUse;

    /**
     * Creates the count.
     *
     * @param units what is refused if there are too few
     * @param byTenant whether each tenant has permits of its own
     */
    Refusals(HeldUnits units, boolean byTenant) {
        this.units = units;
        this.byTenant = byTenant;
    }

    /** Counts a timer that could soon use a permit of this limit: it waits for one, or for one of another limit. */
    void want(long nowNanos) {
        wants.add(nowNanos);
    }

    /** Counts a timer that waits for a permit of this limit. */
    void add(StoredTimer timer, long nowNanos) {
        if (!wasRefused || nowNanos - atNanos >= 2 * LASTING_NANOS) {
            sinceNanos = nowNanos;
            wasRefused = true;
        }
        count(timer, nowNanos);
        someInPass = true;
        foundNoUse = false;
        some = true;
        atNanos = nowNanos;
        if (byTenant && tenants.size() < MOST_TENANTS) {
            tenants.add(timer.key().tenantId());
        }
    }

    private void count(StoredTimer timer, long nowNanos) {
        if (refusedAt.isEmpty()) {
            prunedNanos = nowNanos;
        } else if (nowNanos - prunedNanos >= KEPT_NANOS) {
            refusedAt.values().removeIf(each -> nowNanos - each >= KEPT_NANOS);
            prunedNanos = nowNanos;
        }
        if (refusedAt.size() < MOST_COUNTED || refusedAt.containsKey(timer.generation())) {
            refusedAt.put(timer.generation(), nowNanos);
        }
    }

    /** Notes that a timer got all its permits. */
    void admitted(StoredTimer timer) {
        refusedAt.remove(timer.generation());
    }

    /**
     * Begins a new count.
     *
     * @param all whether timers of blocked limits are counted again, too
     */
    void beginPass(boolean all) {
        wants.beginPass();
        someInPass = false;
        if (all || !some) {
            refusedAt.clear();
        }
    }

    /** Returns whether this pass has refused a timer. */
    boolean areSomeInPass() {
        return someInPass;
    }

    /** Returns how many units the node could use for timers that wait; 0 if none were counted lately. */
    int wanted(long nowNanos) {
        return wants.lately(nowNanos);
    }

    /** Returns how many timers this pass has found up to now that wait for this limit, or for another one. */
    int countNow() {
        return Math.max(refusedAt.size(), wants.countNow());
    }

    /** Returns of how many tenants timers were refused that have permits of their own; 1 if no tenant has. */
    int tenants() {
        return Math.max(1, tenants.size());
    }

    /**
     * Returns how many timers were refused lately and have not begun since then. More may wait that no pass has asked
     * lately.
     */
    int waiting(long nowNanos) {
        return (int) refusedAt.values().stream()
                .filter(each -> nowNanos - each < 2 * LASTING_NANOS)
                .count();
    }

    /** Returns since when some have waited, if some do. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** Returns whether nothing was refused, and nothing is known that waits for another limit. */
    boolean isNothingKnown(long nowNanos) {
        return !some && refusedAt.isEmpty() && wants.lately(nowNanos) == 0;
    }

    /** Returns whether more timers wait than may begin, and more units could help. */
    boolean wantMore() {
        return some && units.count() < units.total();
    }

    /** Notes that permits were given back for which no timer of the pass had a use. */
    void foundNoUse() {
        foundNoUse = true;
    }

    /** Notes that permits have become free. */
    void becameFree() {
        foundNoUse = false;
    }

    /** Returns whether timers that were refused may be tried again, and forgets that they were. */
    boolean takeReady(long nowNanos) {
        if (!some) {
            return false;
        }
        boolean old = !areRecent(nowNanos);
        if (foundNoUse && !old) {
            return false;
        }
        if (byTenant) {
            boolean ready = tenants.removeIf(each -> old || units.isFree(each, nowNanos));
            some = !tenants.isEmpty();
            return ready;
        }
        some = !old && !isGroupFree(nowNanos);
        return !some;
    }

    private boolean areRecent(long nowNanos) {
        return some && nowNanos - atNanos < LASTING_NANOS;
    }

    /** Returns whether timers were refused a moment ago, and would be refused now. */
    boolean areBlocked(long nowNanos) {
        return !byTenant && areRecent(nowNanos) && !isGroupFree(nowNanos);
    }

    /** Returns whether timers were refused a moment ago, and would be refused now or have no use for what is free. */
    boolean areStillRefused(long nowNanos) {
        return areBlocked(nowNanos) || (foundNoUse && areRecent(nowNanos));
    }

    /** Returns the tenants that were refused a moment ago, and would be refused now. */
    Set<String> blockedTenants(long nowNanos) {
        Set<String> blocked = new HashSet<>();
        if (byTenant && areRecent(nowNanos)) {
            tenants.stream().filter(each -> !units.isFree(each, nowNanos)).forEach(blocked::add);
        }
        return blocked;
    }

    private boolean isGroupFree(long nowNanos) {
        return units.isFree("", nowNanos)
                && (!units.isRate() || units.bucket("", nowNanos).permits() >= group(nowNanos) - ROUNDING);
    }

    private double group(long nowNanos) {
        int reserved = units.bucket("", nowNanos).reserved();
        double most = Math.min(units.count() - reserved, Math.max(1, refusedAt.size()));
        return Math.max(1, Math.min(most, Math.floor(GROUP_NANOS / units.nanosEach())));
    }

    /** Returns after how many nanoseconds to try again, if timers were refused; {@link Long#MAX_VALUE} if none were. */
    long nanosToNextTry(long nowNanos) {
        if (!some) {
            return Long.MAX_VALUE;
        }
        long left = Math.max(0, LASTING_NANOS - (nowNanos - atNanos));
        if (!units.isRate() || !units.isValid(nowNanos) || foundNoUse) {
            return left;
        }
        double missing = group(nowNanos) - units.bucket("", nowNanos).permits();
        if (byTenant) {
            missing = tenants.stream()
                    .mapToDouble(each -> 1 - units.bucket(each, nowNanos).permits())
                    .min()
                    .orElse(0);
        }
        return Math.min(left, (long) Math.ceil(Math.max(0, missing) * units.nanosEach()));
    }
}

package dev.duetime.engine.limits;

import dev.duetime.StoredTimer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The timers that a limit has refused, or that wait for another limit and will need this one, too: how many, and of
 * which tenants. Guarded by the lock of its queue's permits.
 */
final class Refusals {
    /** Timers that were refused are read again after this time, so that their number stays known. */
    static final long LASTING_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int MOST_TENANTS = 1_000;

    /** Permits of a rate are used in groups that arrive in this time, so that a fast rate costs few turns. */
    private static final double GROUP_NANOS = Duration.ofMillis(50).toNanos();

    private static final double ROUNDING = 1e-9;

    private final HeldUnits units;
    private final boolean byTenant;
    private final Set<String> tenants = new HashSet<>();
    private int count;
    private int mostBefore;
    private boolean some;
    private long atNanos;
    private long wantedAtNanos;

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

    /** Counts a timer that waits for a permit of this limit, or of another one. */
    void countWaiting(long nowNanos) {
        count++;
        wantedAtNanos = nowNanos;
    }

    /** Counts a timer that waits for a permit of this limit. */
    void add(StoredTimer timer, long nowNanos) {
        countWaiting(nowNanos);
        foundNoUse = false;
        some = true;
        atNanos = nowNanos;
        if (byTenant && tenants.size() < MOST_TENANTS) {
            tenants.add(timer.key().tenantId());
        }
    }

    /**
     * Begins a new count.
     *
     * @param all whether timers of blocked limits are counted again, too
     */
    void beginPass(boolean all) {
        if (all || !some) {
            mostBefore = Math.max(mostBefore, count);
            count = 0;
        }
    }

    /** Returns how many waited at most since this was called before; 0 if that was long ago. */
    int mostLately(long nowNanos) {
        // Timers that wait are counted once a second. Later they may have gone to another node, or ended.
        boolean stillWait = nowNanos - wantedAtNanos < 2 * LASTING_NANOS;
        int most = stillWait ? Math.max(count, mostBefore) : 0;
        mostBefore = stillWait ? count : 0;
        return most;
    }

    /** Returns how many wait, as the last pass found; 0 if that was long ago. */
    int waiting(long nowNanos) {
        return nowNanos - atNanos < 2 * LASTING_NANOS ? count : 0;
    }

    /** Returns whether nothing was refused, and nothing is known that waits for another limit. */
    boolean isNothingKnown() {
        return !some && count == 0 && mostBefore == 0;
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
        double most = Math.min(units.count() - reserved, Math.max(1, count));
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

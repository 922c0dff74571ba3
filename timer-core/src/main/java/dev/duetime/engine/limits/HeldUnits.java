package dev.duetime.engine.limits;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The units of a limit that a node holds, and what may be used of them. Those of a rate are buckets of permits. Guarded
 * by the lock of its queue's permits.
 */
final class HeldUnits {
    private final boolean isRate;
    private final boolean byTenant;
    private final Buckets buckets = new Buckets();

    /** The units of all nodes, and the nanoseconds between two permits. The smaller limit while nodes differ. */
    private int total;

    private long spacing;

    /** The units that the node counts on, and those of them that it may use. The ledger may show more for it. */
    private int count;

    private int usable;
    private long validUntilNanos;

    /** How many timers run, and how many of them were counted since {@link #beginCount}. A rate does not count them. */
    private int running;

    private int counted;

    /** How full the units are that the ledger may show and the node does not count on, and for which version. */
    private @Nullable TenantLevels parkedLevels;

    private long parkedVersion;

    HeldUnits(boolean byTenant, int total, long spacing, long nowNanos) {
        isRate = spacing > 0;
        this.byTenant = byTenant;
        this.total = total;
        this.spacing = spacing;
        validUntilNanos = nowNanos;
    }

    /** Sets the limit that all nodes agree on. */
    void agree(int ofAll, long spacingOfAll) {
        total = ofAll;
        spacing = spacingOfAll;
    }

    int total() {
        return total;
    }

    int count() {
        return count;
    }

    int usable() {
        return usable;
    }

    long validUntilNanos() {
        return validUntilNanos;
    }

    /** Returns how long empty units need to fill up; 0 if they hold no permits. */
    double fillNanos() {
        return (double) spacing * total;
    }

    /** Returns in how many nanoseconds one permit arrives at this node; only if it holds units. */
    double nanosEach() {
        return fillNanos() / Math.max(1, count);
    }

    /** Returns the bucket of a tenant, filled up to now. */
    Bucket bucket(String tenant, long nowNanos) {
        return buckets.of(tenant, nowNanos, count, nanosEach());
    }

    boolean isRate() {
        return isRate;
    }

    /** Returns whether some units may be used. */
    boolean isValid(long nowNanos) {
        return nowNanos - validUntilNanos < 0 && usable > 0;
    }

    /** Returns whether a timer of a tenant may begin. */
    boolean isFree(String tenant, long nowNanos) {
        if (!isValid(nowNanos)) {
            return false;
        }
        return isRate ? bucket(tenant, nowNanos).hasOne() : running < usable;
    }

    void take(String tenant, long nowNanos) {
        if (isRate) {
            bucket(tenant, nowNanos).reserve();
        } else {
            running++;
        }
    }

    /** Notes that a timer with a permit begins now. */
    void begun(String tenant, long nowNanos) {
        if (isRate) {
            bucket(tenant, nowNanos).use();
        }
    }

    /** Takes back the permit of a rate of a timer that did not begin. */
    void undo(String tenant, long nowNanos) {
        if (isRate) {
            bucket(tenant, nowNanos).release();
        }
    }

    /** Notes that a timer no longer runs. */
    void ended() {
        if (!isRate) {
            running--;
        }
    }

    /** Returns how many timers run; 0 if this is a rate. */
    int running() {
        return running;
    }

    /** Returns how many units the node cannot give up now: timers run, or have permits and begin soon. */
    int bound() {
        return isRate ? buckets.mostReserved() : running;
    }

    /** Begins a count of the timers that hold permits, to replace the count that was kept until now. */
    void beginCount() {
        counted = 0;
        buckets.beginCount();
    }

    /**
     * Counts a timer that holds a permit.
     *
     * @param isReserved whether it has not begun
     */
    void count(String tenant, boolean isReserved, long nowNanos) {
        counted++;
        if (isRate && isReserved) {
            bucket(tenant, nowNanos).count();
        }
    }

    /** Gives back what was taken and not counted. */
    void endCount() {
        if (isRate) {
            buckets.endCount();
        } else {
            running = counted;
        }
    }

    /** Returns whether the share of this node has not ended, so that timers which have permits may begin. */
    boolean isHeld(long nowNanos) {
        return nowNanos - validUntilNanos < 0 && count > 0;
    }

    /** Returns after how many nanoseconds all tenants have all their permits again; 0 if none has fewer than others. */
    long nanosToEven(long nowNanos) {
        return (long) Math.ceil(buckets.missing(nowNanos, count, nanosEach()) * nanosEach());
    }

    /**
     * Makes the share smaller before that is written, so that other nodes can use the rest at once.
     *
     * @return how many permits the units held that are given up
     */
    TenantPermits shrink(int to, int mostUsable, long nowNanos) {
        usable = Math.min(usable, mostUsable);
        if (to >= count) {
            return TenantPermits.NONE;
        }
        TenantPermits beyond = isRate ? buckets.cut(nowNanos, count, nanosEach(), to) : TenantPermits.NONE;
        count = to;
        return beyond;
    }

    /**
     * Makes the share smaller, too, and returns the units that are given up.
     *
     * @param now the same time as the nanoseconds
     */
    UnusedUnits cut(int to, int mostUsable, Instant now, long nowNanos) {
        int before = count;
        TenantPermits unused = shrink(to, mostUsable, nowNanos);
        if (count == before) {
            return new UnusedUnits(0, now);
        }
        UnusedUnits cut = UnusedUnits.holding(unused, before - count, now, fillNanos());
        return byTenant ? cut : cut.evened();
    }

    /**
     * Returns the units that a ledger shows for this node and that it does not count on: a write that took or gave up
     * units failed, or its reply was lost.
     *
     * @param held the units of this node in the ledger
     */
    UnusedUnits parked(int held, long version, Instant now) {
        int parked = held - count;
        if (parked == 0 && version != parkedVersion) {
            // No write of an earlier version can succeed any more.
            parkedLevels = null;
        }
        return parked > 0 && parkedLevels != null
                ? new UnusedUnits(parked, parkedLevels)
                : new UnusedUnits(parked, now);
    }

    /**
     * Keeps how full the units are that the ledger may show for this node while it does not count on them.
     *
     * @param before those that it shows now
     * @param after those that it shows once the next change is written
     * @param version the version that is changed
     */
    void park(UnusedUnits before, UnusedUnits after, long version) {
        park(before);
        park(after);
        parkedVersion = version;
    }

    private void park(UnusedUnits units) {
        if (units.count() > 0) {
            parkedLevels = parkedLevels == null ? units.levels() : parkedLevels.lower(units.levels());
        }
    }

    /**
     * Uses a share that was written.
     *
     * @param added how many permits of a rate come with the new units
     */
    void grant(int to, int mostUsable, TenantPermits added, long nowNanos, long validUntil) {
        if (to > count && isRate) {
            // The old units fill up to now by their own pace.
            buckets.add(nowNanos, count, nanosEach(), added);
        }
        count = to;
        usable = mostUsable;
        validUntilNanos = validUntil;
    }
}

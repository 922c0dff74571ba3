package dev.duetime.engine.limits;

import dev.duetime.RateLimit;
import dev.duetime.StoredTimer;
import dev.duetime.store.Permits.Limit;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The share of this node in one limit, and its use. A unit is one timer in delivery, or one permit of the burst of a
 * rate with its part of the rate. Guarded by the lock of its queue's permits.
 */
final class HeldLimit {
    /** After this time without demand the node gives its units back. */
    static final long LINGER_NANOS = Duration.ofSeconds(10).toNanos();

    /** Timers that were refused are read again after this time, so that their number stays known. */
    static final long REFUSED_NANOS = Duration.ofSeconds(1).toNanos();

    /** Permits of a rate are used in groups that arrive in this time, so that a fast rate costs few turns. */
    private static final double GROUP_NANOS = Duration.ofMillis(50).toNanos();

    private static final double SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long SHORTEST_MEASURE_NANOS = Duration.ofMillis(100).toNanos();

    private static final int MOST_TENANTS = 1_000;

    final Limit name;
    final int total;
    final long spacing;
    private final @Nullable String type;
    private final boolean byTenant;
    private final Buckets buckets = new Buckets();

    /** The values that hold while nodes are configured differently. */
    int commonTotal;

    long commonSpacing;

    /** The units that the ledger shows for this node, and those of them that may be used. */
    int units;

    int usable;
    long validUntilNanos;

    private long endedShares;
    private int running;

    /** How many timers of those that run were counted since {@link #beginCount}. */
    private int counted;

    private int refused;
    private int mostRefused;
    private boolean isRefused;
    private long refusedAtNanos;
    private long wantedAtNanos;
    private int used;
    private double usedPerNano;
    private double usedPerNanoBefore;
    private long measuredNanos;
    private long demandNanos;
    private final Set<String> refusedTenants = new HashSet<>();

    /** Whether the permits that are free now were given back by timers that could not begin, and no other could. */
    private boolean foundNoUse;

    private HeldLimit(Limit name, int total, long spacing, @Nullable String type, boolean byTenant, long nowNanos) {
        this.name = name;
        this.total = total;
        this.spacing = spacing;
        this.type = type;
        this.byTenant = byTenant;
        commonTotal = total;
        commonSpacing = spacing;
        validUntilNanos = nowNanos;
        measuredNanos = nowNanos;
        demandNanos = nowNanos - LINGER_NANOS;
    }

    static HeldLimit ofConcurrency(String queue, @Nullable String type, int most, long nowNanos) {
        return new HeldLimit(new Limit(queue, "concurrency" + of(type)), most, 0, type, false, nowNanos);
    }

    static HeldLimit ofRate(String queue, @Nullable String type, RateLimit rate, boolean byTenant, long nowNanos) {
        String name = (byTenant ? "tenant rate" : "rate") + of(type);
        // Rounded up, so that no rounding makes it faster than the limit.
        long spacing = -Math.floorDiv(-rate.period().toNanos(), (long) rate.permits());
        return new HeldLimit(new Limit(queue, name), rate.burst(), spacing, type, byTenant, nowNanos);
    }

    private static String of(@Nullable String type) {
        return type == null ? "" : " of type " + type;
    }

    boolean isRate() {
        return spacing > 0;
    }

    /** Returns whether timers of this type count. */
    boolean isOf(String other) {
        return type == null || type.equals(other);
    }

    @Nullable
    String type() {
        return type;
    }

    boolean isByTenant() {
        return byTenant;
    }

    boolean isOfWholeQueue() {
        return type == null && !byTenant;
    }

    /** Returns how many units the node cannot give up now: timers run, or have permits and begin soon. */
    int bound() {
        return isRate() ? buckets.mostReserved() : running;
    }

    private String bucket(StoredTimer timer) {
        return byTenant ? timer.key().tenantId() : "";
    }

    /** Returns in how many nanoseconds one permit arrives at this node; only if it holds units. */
    private double nanosEach() {
        return (double) commonSpacing * commonTotal / Math.max(1, units);
    }

    private boolean isValid(long nowNanos) {
        return nowNanos - validUntilNanos < 0 && usable > 0;
    }

    /** Returns whether a timer may begin. */
    boolean isFree(StoredTimer timer, long nowNanos) {
        return isFree(bucket(timer), nowNanos);
    }

    private boolean isFree(String tenant, long nowNanos) {
        if (!isValid(nowNanos)) {
            return false;
        }
        return isRate() ? buckets.of(tenant, nowNanos, units, nanosEach()).hasOne() : running < usable;
    }

    void take(StoredTimer timer, long nowNanos) {
        used++;
        demandNanos = nowNanos;
        if (isRate()) {
            buckets.of(bucket(timer), nowNanos, units, nanosEach()).reserve();
        } else {
            running++;
        }
    }

    /** Returns whether the share of this node has not ended, so that timers which have permits may begin. */
    boolean isHeld(long nowNanos) {
        return nowNanos - validUntilNanos < 0 && units > 0;
    }

    /** Notes that other nodes may have the units of this node: what has a permit of them may not begin. */
    void shareEnded() {
        endedShares++;
    }

    /** Returns how many shares of this node have ended. */
    long endedShares() {
        return endedShares;
    }

    /** Notes that a timer with a permit begins now. */
    void begun(StoredTimer timer, long nowNanos) {
        if (isRate()) {
            buckets.of(bucket(timer), nowNanos, units, nanosEach()).use();
        }
    }

    /** Returns how many timers the node can begin in a second, if each runs for a quarter of it. */
    long aSecond() {
        double permits = isRate() ? units + SECOND_NANOS / nanosEach() : 4.0 * usable;
        return (long) Math.ceil(permits);
    }

    /** Notes that a timer waits for a permit of another limit: then it will need one of this limit, too. */
    void want(long nowNanos) {
        refused++;
        wantedAtNanos = nowNanos;
        demandNanos = nowNanos;
    }

    void refuse(StoredTimer timer, long nowNanos) {
        want(nowNanos);
        foundNoUse = false;
        isRefused = true;
        refusedAtNanos = nowNanos;
        if (byTenant && refusedTenants.size() < MOST_TENANTS) {
            refusedTenants.add(timer.key().tenantId());
        }
    }

    void ended(long nowNanos) {
        foundNoUse = false;
        if (!isRate()) {
            running--;
            demandNanos = nowNanos;
        }
    }

    /**
     * Notes that permits were given back after all timers that may use them were asked: they are no reason to ask again.
     */
    void foundNoUse() {
        foundNoUse = true;
    }

    /** Takes back the permit of a timer that did not begin. */
    void undo(StoredTimer timer, long nowNanos) {
        foundNoUse = false;
        used--;
        if (isRate()) {
            buckets.of(bucket(timer), nowNanos, units, nanosEach()).release();
        }
        ended(nowNanos);
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
    void count(StoredTimer timer, boolean isReserved, long nowNanos) {
        counted++;
        if (isRate() && isReserved) {
            buckets.of(bucket(timer), nowNanos, units, nanosEach()).count();
        }
    }

    /** Gives back what was taken and not counted. */
    void endCount() {
        foundNoUse = false;
        if (isRate()) {
            buckets.endCount();
        } else {
            running = counted;
        }
    }

    /**
     * Begins a new count of the timers that are refused.
     *
     * @param all whether timers of blocked limits are counted again, too
     */
    void beginPass(boolean all) {
        if (all || !isRefused) {
            mostRefused = Math.max(mostRefused, refused);
            refused = 0;
        }
    }

    /** Returns how many timers wait, as the last pass found; 0 if that was long ago. */
    int waiting(long nowNanos) {
        return nowNanos - refusedAtNanos < 2 * REFUSED_NANOS ? refused : 0;
    }

    /** Returns whether timers that were refused may be tried again, and forgets that they were. */
    boolean takeReady(long nowNanos) {
        if (!isRefused) {
            return false;
        }
        boolean old = nowNanos - refusedAtNanos >= REFUSED_NANOS;
        if (foundNoUse && !old) {
            return false;
        }
        if (byTenant) {
            boolean some = refusedTenants.removeIf(each -> old || isFree(each, nowNanos));
            isRefused = !refusedTenants.isEmpty();
            return some;
        }
        isRefused = !old && !isGroupFree(nowNanos);
        return !isRefused;
    }

    /** Returns whether timers were refused a moment ago, and would be refused now. */
    boolean isBlocked(long nowNanos) {
        return !byTenant && isRefused && nowNanos - refusedAtNanos < REFUSED_NANOS && !isGroupFree(nowNanos);
    }

    private boolean isGroupFree(long nowNanos) {
        return isFree("", nowNanos)
                && (!isRate() || buckets.of("", nowNanos, units, nanosEach()).permits() >= group(nowNanos) - 1e-9);
    }

    private double group(long nowNanos) {
        int reserved = buckets.of("", nowNanos, units, nanosEach()).reserved();
        double most = Math.min(units - reserved, Math.max(1, refused));
        return Math.max(1, Math.min(most, Math.floor(GROUP_NANOS / nanosEach())));
    }

    /** Returns the tenants that were refused a moment ago, and would be refused now. */
    Set<String> blockedTenants(long nowNanos) {
        Set<String> blocked = new HashSet<>();
        if (byTenant && isRefused && nowNanos - refusedAtNanos < REFUSED_NANOS) {
            refusedTenants.stream().filter(each -> !isFree(each, nowNanos)).forEach(blocked::add);
        }
        return blocked;
    }

    /** Returns after how many nanoseconds to try again, if timers were refused; {@link Long#MAX_VALUE} if none were. */
    long nanosToNextTry(long nowNanos) {
        if (!isRefused) {
            return Long.MAX_VALUE;
        }
        long left = Math.max(0, REFUSED_NANOS - (nowNanos - refusedAtNanos));
        if (!isRate() || !isValid(nowNanos) || foundNoUse) {
            return left;
        }
        double missing =
                group(nowNanos) - buckets.of("", nowNanos, units, nanosEach()).permits();
        if (byTenant) {
            missing = refusedTenants.stream()
                    .mapToDouble(each ->
                            1 - buckets.of(each, nowNanos, units, nanosEach()).permits())
                    .min()
                    .orElse(0);
        }
        return Math.min(left, (long) Math.ceil(Math.max(0, missing) * nanosEach()));
    }

    /** Returns whether the node uses the limit, or did lately. */
    boolean isActive(long nowNanos) {
        return units > 0 || running > 0 || nowNanos - demandNanos < LINGER_NANOS;
    }

    /**
     * Returns until when turns of the exchange change nothing if no timer begins, ends or is refused, and no other node
     * has a share; {@link Long#MIN_VALUE} if the next one may change something.
     *
     * @param renewNanos how long before the end of the share it is renewed
     */
    long nothingUntil(long nowNanos, long renewNanos) {
        if (!isActive(nowNanos)) {
            return Long.MAX_VALUE;
        }
        boolean changes = running > 0
                || isRefused
                || refused > 0
                || mostRefused > 0
                || (isRate() && (used > 0 || usedPerNano > 0 || usedPerNanoBefore > 0))
                || units == 0
                || usable != units;
        return changes ? Long.MIN_VALUE : Math.min(demandNanos + LINGER_NANOS, validUntilNanos - renewNanos);
    }

    /** Sets the measures as if a turn had begun then, without any use since the one before. */
    void leaveOut(long turnNanos) {
        if (isRate() && isActive(turnNanos)) {
            measuredNanos = turnNanos;
        }
    }

    /** Returns how many units the node could use, and begins to measure anew. */
    int demand(long nowNanos) {
        // Timers that wait are counted once a second. Later they may have gone to another node, or ended.
        boolean stillWaits = nowNanos - wantedAtNanos < 2 * REFUSED_NANOS;
        int waiting = stillWaits ? Math.max(refused, mostRefused) : 0;
        mostRefused = stillWaits ? refused : 0;
        if (!isRate()) {
            return (int) Math.min(total, (long) running + waiting);
        }
        long time = nowNanos - measuredNanos;
        if (time >= SHORTEST_MEASURE_NANOS) {
            // Of two measures in a row the higher one counts: a pause between two groups is no lack of demand.
            usedPerNanoBefore = usedPerNano;
            usedPerNano = (double) used / time;
            used = 0;
            measuredNanos = nowNanos;
        }
        double inUse = Math.max(usedPerNano, usedPerNanoBefore) * commonSpacing * commonTotal;
        return (int) Math.min(total, Math.ceil(inUse) + waiting);
    }

    /** Returns whether the node has had no use for the limit for a while. */
    boolean isIdle(long nowNanos) {
        return running == 0 && nowNanos - demandNanos >= LINGER_NANOS;
    }

    /** Returns whether more timers wait than may begin, and more units could help. */
    boolean wantsMore() {
        return isRefused && units < commonTotal;
    }

    /**
     * Makes the share smaller before that is written, so that other nodes can use the rest at once.
     *
     * @return which part of the units that are given up was unused, 0 to 1
     */
    double shrink(int to, int mostUsable, long nowNanos) {
        usable = Math.min(usable, mostUsable);
        if (to >= units) {
            return 0;
        }
        double beyond = isRate() ? buckets.cut(nowNanos, units, nanosEach(), to) : 0;
        double unused = beyond / (units - to);
        units = to;
        return Math.min(1, unused);
    }

    /**
     * Uses a share that was written.
     *
     * @param added how many permits of a rate come with the new units
     */
    void grant(int to, int mostUsable, double added, long nowNanos, long validUntil) {
        if (to > units && isRate()) {
            // The old units fill up to now by their own pace.
            buckets.add(nowNanos, units, nanosEach(), added);
        }
        foundNoUse &= to <= units;
        units = to;
        usable = mostUsable;
        validUntilNanos = validUntil;
    }
}

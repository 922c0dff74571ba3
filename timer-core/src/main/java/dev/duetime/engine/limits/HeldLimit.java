package dev.duetime.engine.limits;

import dev.duetime.RateLimit;
import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.LedgerPlan.Step;
import dev.duetime.store.Permits.Limit;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The share of this node in one limit, and its use. A unit is one timer in delivery, or one permit of the burst of a
 * rate with its part of the rate. Guarded by the lock of its queue's permits.
 */
final class HeldLimit {
    /** After this time without demand the node gives its units back. */
    static final long LINGER_NANOS = Duration.ofSeconds(10).toNanos();

    private static final double SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    /** How many timers one unit of a concurrency limit lets begin in a second, if each runs for a quarter of it. */
    private static final int BEGUN_A_SECOND = 4;

    final Limit name;
    final int total;
    final long spacing;
    private final @Nullable String type;
    private final boolean byTenant;
    private final HeldUnits units;
    private final Refusals refusals;
    private final UseMeasure use;

    private long endedShares;
    private long demandNanos;

    private HeldLimit(Limit name, int total, long spacing, @Nullable String type, boolean byTenant, long nowNanos) {
        this.name = name;
        this.total = total;
        this.spacing = spacing;
        this.type = type;
        this.byTenant = byTenant;
        units = new HeldUnits(byTenant, total, spacing, nowNanos);
        refusals = new Refusals(units, byTenant);
        use = new UseMeasure(nowNanos);
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

    /** Returns the units that the node holds. */
    HeldUnits units() {
        return units;
    }

    /** Returns the timers that wait. */
    Refusals refusals() {
        return refusals;
    }

    private String tenant(StoredTimer timer) {
        return byTenant ? timer.key().tenantId() : "";
    }

    /** Returns whether a timer may begin. */
    boolean isFree(StoredTimer timer, long nowNanos) {
        return units.isFree(tenant(timer), nowNanos);
    }

    void take(StoredTimer timer, long nowNanos) {
        use.count(1);
        refusals.admitted(timer);
        demandNanos = nowNanos;
        units.take(tenant(timer), nowNanos);
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
        units.begun(tenant(timer), nowNanos);
    }

    /** Returns how many timers the node can begin in a second. */
    long aSecond() {
        double permits =
                isRate() ? units.count() + SECOND_NANOS / units.nanosEach() : (double) BEGUN_A_SECOND * units.usable();
        return (long) Math.ceil(permits);
    }

    /** Notes that a timer could soon use a permit, of this limit and of the others that it waits for. */
    void want(long nowNanos) {
        refusals.want(nowNanos);
        demandNanos = nowNanos;
    }

    /** Notes that a timer waits for a permit of this limit. */
    void refuse(StoredTimer timer, long nowNanos) {
        refusals.add(timer, nowNanos);
        demandNanos = nowNanos;
    }

    /**
     * Returns whether so many timers wait already that this limit lets no further one begin soon. Then a further timer
     * has no use yet for a permit of the other limit. A limit that has a permit for the timer is not crowded: those
     * that wait may wait for other limits.
     */
    boolean isCrowdedFor(HeldLimit other, StoredTimer timer, long nowNanos) {
        return this != other
                && !isFree(timer, nowNanos)
                && refusals.countNow() >= begunSoon(other) * refusals.tenants();
    }

    /**
     * Returns how many timers this limit lets begin soon if it has no permit now: as many as its units in the whole
     * cluster, or those whose permits arrive in a moment; in about a second if the other limit is a rate.
     */
    private double begunSoon(HeldLimit other) {
        if (!isRate()) {
            return (other.isRate() ? BEGUN_A_SECOND : 1.0) * units.total();
        }
        return Math.max(1, (other.isRate() ? SECOND_NANOS : Refusals.GROUP_NANOS) / spacing);
    }

    void ended(long nowNanos) {
        refusals.becameFree();
        units.ended();
        demandNanos = isRate() ? demandNanos : nowNanos;
    }

    /** Takes back the permit of a timer that did not begin. */
    void undo(StoredTimer timer, long nowNanos) {
        use.count(-1);
        units.undo(tenant(timer), nowNanos);
        ended(nowNanos);
    }

    /**
     * Counts a timer that holds a permit.
     *
     * @param isReserved whether it has not begun
     */
    void count(StoredTimer timer, boolean isReserved, long nowNanos) {
        units.count(tenant(timer), isReserved, nowNanos);
    }

    /** Gives back what was taken and not counted. */
    void endCount() {
        refusals.becameFree();
        units.endCount();
    }

    /** Returns whether the node uses the limit, or did lately. */
    boolean isActive(long nowNanos) {
        return units.count() > 0 || units.running() > 0 || nowNanos - demandNanos < LINGER_NANOS;
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
        if (units.count() == 0 || units.usable() != units.count()) {
            return Long.MIN_VALUE;
        }
        long renewal = units.validUntilNanos() - renewNanos;
        if (isQuiet(nowNanos)) {
            return isUneven(nowNanos) ? Math.min(nowNanos + units.nanosToEven(nowNanos), renewal) : Long.MIN_VALUE;
        }
        boolean changes = units.running() > 0 || !refusals.isNothingKnown(nowNanos) || (isRate() && !use.isNone());
        return changes ? Long.MIN_VALUE : Math.min(demandNanos + LINGER_NANOS, renewal);
    }

    /** Sets the measures as if a turn had begun then, without any use since the one before. */
    void leaveOut(long turnNanos) {
        if (isRate() && isActive(turnNanos)) {
            use.beginAt(turnNanos);
        }
    }

    /** Returns how many units the node could use, and begins to measure anew. */
    int demand(long nowNanos) {
        int waiting = refusals.wanted(nowNanos);
        if (!isRate()) {
            return (int) Math.min(total, (long) units.running() + waiting);
        }
        double inUse = use.perNano(nowNanos) * units.fillNanos();
        if (byTenant) {
            // Equal parts change least: each time that units move, levels of many tenants may be written.
            return total;
        }
        return (int) Math.min(total, Math.ceil(inUse) + waiting);
    }

    /** Returns whether no timer has needed a permit for a while. */
    boolean isQuiet(long nowNanos) {
        return units.running() == 0 && nowNanos - demandNanos >= LINGER_NANOS;
    }

    /**
     * Returns whether the node has no use for its units. It keeps those of which some tenants have fewer permits than
     * others, unless other nodes want them. Otherwise it would have to write the levels of these tenants, and nodes of
     * earlier versions would give all tenants the lowest one.
     */
    boolean isIdle(boolean othersWant, long nowNanos) {
        return isQuiet(nowNanos) && (othersWant || !isUneven(nowNanos));
    }

    private boolean isUneven(long nowNanos) {
        return byTenant && units.count() > 0 && units.nanosToEven(nowNanos) > 0;
    }

    /**
     * Uses a share that was written.
     *
     * @param now the same time as the nanoseconds: units that are added have filled up until now
     */
    void grant(Step step, Instant now, long nowNanos, long validUntil) {
        grant(step.units(), step.usable(), step.added().permits(now, units.fillNanos()), nowNanos, validUntil);
    }

    /**
     * Uses a share that was written.
     *
     * @param added how many permits of a rate come with the new units
     */
    void grant(int to, int mostUsable, TenantPermits added, long nowNanos, long validUntil) {
        if (to > units.count()) {
            refusals.becameFree();
        }
        units.grant(to, mostUsable, added, nowNanos, validUntil);
    }
}

package dev.duetime.engine.limits;

import dev.duetime.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * Units of a limit that no timer uses. Those of a rate fill up all the same, at their part of the rate. Immutable.
 *
 * @param count how many there are
 * @param levels when they were empty for each tenant, or would have been if they had filled up since then
 */
record UnusedUnits(int count, TenantLevels levels) {
    /** About 190,000 years: what is earlier, a column of microseconds cannot hold. */
    private static final double MOST_MICROS = 6e18;

    private static final double NANOS_EACH_MILLI = 1e6;

    /** Creates units that are equally full for each tenant. */
    UnusedUnits(int count, Instant since) {
        this(count, TenantLevels.of(since));
    }

    /**
     * Returns units that are partly filled now, for each tenant alike.
     *
     * @param filled which part of them, 0 to 1
     * @param fillNanos how long empty ones need to fill up
     */
    static UnusedUnits filledTo(double filled, int count, Instant now, double fillNanos) {
        return new UnusedUnits(count, since(filled, now, fillNanos));
    }

    /** Returns units that hold some permits now. */
    static UnusedUnits holding(TenantPermits permits, int count, Instant now, double fillNanos) {
        Map<String, Instant> byTenant = new HashMap<>();
        permits.byTenant().forEach((tenant, each) -> byTenant.put(tenant, since(each / count, now, fillNanos)));
        return new UnusedUnits(count, TenantLevels.of(since(permits.unknown() / count, now, fillNanos), byTenant));
    }

    private static Instant since(double filled, Instant now, double fillNanos) {
        long micros = (long) Math.min(MOST_MICROS, Math.min(1, filled) * fillNanos / 1_000);
        return Micros.ceil(now.minus(micros, ChronoUnit.MICROS));
    }

    /** Returns which part of each unit is filled for an unknown tenant, 0 to 1. */
    double filled(Instant now, double fillNanos) {
        return filled(levels.since(), now, fillNanos);
    }

    private static double filled(Instant since, Instant now, double fillNanos) {
        if (fillNanos == 0) {
            return 0;
        }
        double nanos = Math.max(0, Duration.between(since, now).toMillis() * NANOS_EACH_MILLI);
        return Math.min(1, nanos / fillNanos);
    }

    /** Returns how many permits they hold. */
    TenantPermits permits(Instant now, double fillNanos) {
        Map<String, Double> byTenant = new HashMap<>();
        levels.byTenant().forEach((tenant, since) -> byTenant.put(tenant, count * filled(since, now, fillNanos)));
        return new TenantPermits(count * filled(now, fillNanos), byTenant);
    }

    /** Returns these and other units. All of them together hold as many permits as before, for each tenant. */
    UnusedUnits and(UnusedUnits others, Instant now, double fillNanos) {
        if (count == 0 || others.count == 0) {
            return others.count == 0 ? this : others;
        }
        int sum = count + others.count;
        return new UnusedUnits(sum, levels.with(others.levels, (ours, theirs) -> {
            double permits = count * filled(ours, now, fillNanos) + others.count * filled(theirs, now, fillNanos);
            return since(permits / sum, now, fillNanos);
        }));
    }

    /** Returns some of these units, each as full as before. */
    UnusedUnits some(int some) {
        return new UnusedUnits(some, levels);
    }

    /** Returns the same, without levels of tenants for which the units are full. */
    UnusedUnits withoutFull(Instant now, double fillNanos) {
        return new UnusedUnits(count, levels.without(since -> filled(since, now, fillNanos) >= 1));
    }

    /** Returns the same for limits that do not know tenants. */
    UnusedUnits evened() {
        return new UnusedUnits(count, levels.evened());
    }
}

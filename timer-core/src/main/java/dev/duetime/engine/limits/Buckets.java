package dev.duetime.engine.limits;

import java.util.HashMap;
import java.util.Map;

/**
 * The buckets of a rate: one, or one for each tenant. A tenant that was not seen lately has a full one. Guarded by the
 * lock of its queue's permits.
 */
final class Buckets {
    /**
     * Above this number, buckets that are as full as that of an unknown tenant are forgotten. The others must stay, or
     * their tenants would exceed the rate.
     */
    private static final int MANY = 10_000;

    private static final double ROUNDING = 1e-9;

    private final Map<String, Bucket> used;

    /**
     * With how many buckets to forget the full ones: twice as many as were left the last time. So the search is rare,
     * and there are at most twice as many buckets as tenants whose bucket was not full, or MANY.
     */
    private int forgetsAt = MANY;

    /** What nobody takes from: a new tenant begins with it. */
    private final Bucket untouched = new Bucket(0, 0);

    Buckets() {
        this(new HashMap<>());
    }

    /**
     * Creates buckets.
     *
     * @param used keeps those that are not full; empty
     */
    Buckets(Map<String, Bucket> used) {
        this.used = used;
    }

    /** Returns the bucket of a tenant, filled up to now. */
    Bucket of(String tenant, long nowNanos, int units, double nanosEach) {
        untouched.fill(nowNanos, units, nanosEach);
        Bucket bucket = used.get(tenant);
        if (bucket == null) {
            forgetFull(1, nowNanos, units, nanosEach);
            bucket = untouched.copy();
            used.put(tenant, bucket);
        }
        bucket.fill(nowNanos, units, nanosEach);
        return bucket;
    }

    /** Forgets full buckets if there would be too many with some more. */
    private void forgetFull(int more, long nowNanos, int units, double nanosEach) {
        if (used.size() + more <= forgetsAt) {
            return;
        }
        used.values().removeIf(each -> {
            each.fill(nowNanos, units, nanosEach);
            return each.reserved() == 0 && each.permits() >= untouched.permits();
        });
        forgetsAt = Math.max(MANY, 2 * used.size());
    }

    /** Fills all buckets up to now, and adds permits to each. */
    void add(long nowNanos, int units, double nanosEach, TenantPermits added) {
        untouched.fill(nowNanos, units, nanosEach);
        // All at once: a bucket that has just been made is as full as that of an unknown tenant.
        forgetFull(added.byTenant().size(), nowNanos, units, nanosEach);
        added.byTenant().keySet().forEach(tenant -> used.computeIfAbsent(tenant, unknown -> untouched.copy()));
        used.forEach((tenant, each) -> {
            each.fill(nowNanos, units, nanosEach);
            each.add(added.of(tenant));
        });
        untouched.add(added.unknown());
    }

    /**
     * Fills all buckets up to now, and lets none keep more than the given number, including the reserved ones.
     *
     * @return how many permits each of them had beyond it
     */
    TenantPermits cut(long nowNanos, int units, double nanosEach, int most) {
        untouched.fill(nowNanos, units, nanosEach);
        double unknown = Math.max(0, untouched.permits() - most);
        untouched.add(-unknown);
        Map<String, Double> fewer = new HashMap<>();
        used.forEach((tenant, each) -> {
            each.fill(nowNanos, units, nanosEach);
            double beyond = Math.max(0, each.permits() + each.reserved() - most);
            each.add(-beyond);
            if (beyond < unknown) {
                fewer.put(tenant, beyond);
            }
        });
        return new TenantPermits(unknown, fewer);
    }

    /**
     * Returns how many permits the emptiest bucket lacks, including the reserved ones, if a tenant has fewer than an
     * unknown one; else 0.
     */
    double missing(long nowNanos, int units, double nanosEach) {
        untouched.fill(nowNanos, units, nanosEach);
        double least = untouched.permits();
        for (Bucket each : used.values()) {
            each.fill(nowNanos, units, nanosEach);
            least = Math.min(least, each.permits() + each.reserved());
        }
        return least < untouched.permits() - ROUNDING ? units - least : 0;
    }

    void beginCount() {
        used.values().forEach(Bucket::beginCount);
    }

    /** Gives back what is reserved and was not counted. */
    void endCount() {
        used.values().forEach(Bucket::endCount);
    }

    /** Returns how many permits are reserved in one bucket, at most. */
    int mostReserved() {
        return used.values().stream().mapToInt(Bucket::reserved).max().orElse(0);
    }
}

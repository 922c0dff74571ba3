package dev.duetime.testkit.simulation.run;

import dev.duetime.Beta;
import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The limits of all nodes together in a run.
 *
 * @param concurrency how many timers may be in calls; 0 for any number
 * @param rate how many timers may begin in a time; null for any number
 * @param tenantRate the same for each tenant
 * @param typeConcurrency how many timers of the type {@link #LIMITED} may be in calls; 0 for any number
 * @param typeRate how many of them may begin in a time; null for any number
 */
@Beta
public record ClusterLimits(
        int concurrency,
        @Nullable RateLimit rate,
        @Nullable RateLimit tenantRate,
        int typeConcurrency,
        @Nullable RateLimit typeRate) {
    public static final ClusterLimits NONE = new ClusterLimits(0, null, null, 0, null);

    /** The type with limits of its own. */
    public static final String LIMITED = "limited";

    /** Returns whether there is a limit. */
    public boolean areSome() {
        return concurrency > 0 || rate != null || areOfParts();
    }

    /** Returns whether there is a limit of tenants or of the type. */
    public boolean areOfParts() {
        return tenantRate != null || typeConcurrency > 0 || typeRate != null;
    }

    void apply(QueueBuilder queue) {
        if (concurrency > 0) {
            queue.concurrencyLimit(concurrency);
        }
        if (rate != null) {
            queue.rateLimit(rate);
        }
        if (tenantRate != null) {
            queue.tenantRateLimit(tenantRate);
        }
        queue.type(LIMITED, type -> {
            if (typeConcurrency > 0) {
                type.concurrencyLimit(typeConcurrency);
            }
            if (typeRate != null) {
                type.rateLimit(typeRate);
            }
        });
    }
}

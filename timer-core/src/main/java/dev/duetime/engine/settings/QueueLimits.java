package dev.duetime.engine.settings;

import dev.duetime.RateLimit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a queue, for all nodes together.
 *
 * @param concurrency how many timers are in delivery at once; null for any number
 * @param rate how many begin in a time; null for any number
 * @param tenantRate how many of each tenant begin in a time; null for any number
 * @param parallelKey how many of each parallel key are in delivery at once
 * @param types the limits of types
 */
public record QueueLimits(
        @Nullable Integer concurrency,
        @Nullable RateLimit rate,
        @Nullable RateLimit tenantRate,
        int parallelKey,
        Map<String, OfType> types) {
    /** No limits. */
    public static final QueueLimits NONE = new QueueLimits(null, null, null, 1, Map.of());

    /** Copies the types. */
    public QueueLimits {
        types = Map.copyOf(types);
    }

    /** Returns whether nodes must share a limit. */
    public boolean areShared() {
        return concurrency != null
                || rate != null
                || tenantRate != null
                || types.values().stream().anyMatch(each -> each.concurrency() != null || each.rate() != null);
    }

    /**
     * The limits of a type.
     *
     * @param concurrency how many timers of it are in delivery at once; null for any number
     * @param rate how many of it begin in a time; null for any number
     */
    public record OfType(
            @Nullable Integer concurrency, @Nullable RateLimit rate) {}
}

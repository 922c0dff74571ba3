package dev.duetime.internal.todo;

import dev.duetime.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a todo queue, for all nodes together.
 *
 * @param concurrency how many todos run at once; null for any number
 * @param rate how many begin in a time; null for any number
 * @param tenantRate how many of each tenant begin in a time; null for any number
 * @param parallelKey how many of each parallel key run at once
 */
public record TodoLimits(
        @Nullable Integer concurrency,
        @Nullable RateLimit rate,
        @Nullable RateLimit tenantRate,
        int parallelKey) {
    /** No limits, and one todo of each parallel key at a time. */
    public static final TodoLimits NONE = new TodoLimits(null, null, null, 1);
}

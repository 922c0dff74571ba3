package dev.duetime.engine.settle;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a turn that may be spent on counting missed occurrences. All other timers wait meanwhile. Tenants whose
 * counts were interrupted in the last turn have equal shares of it. What they leave is for the others. Used by one
 * thread.
 */
public final class CountingTime {
    /** The time of one turn. */
    private static final long NANOS = Duration.ofMillis(50).toNanos();

    private final LongSupplier nanoTime;
    private final Map<String, Long> used = new HashMap<>();
    private final Set<String> interrupted = new HashSet<>();
    private Set<String> waiting = Set.of();
    private long total;

    /**
     * Creates the time of each turn.
     *
     * @param nanoTime {@link dev.duetime.Clock#nanoTime}
     */
    public CountingTime(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns a time that never ends, for a thread on which no other timers wait. */
    public static CountingTime unlimited() {
        return new CountingTime(() -> 0);
    }

    /** Begins a turn. */
    void begin() {
        waiting = Set.copyOf(interrupted);
        interrupted.clear();
        used.clear();
        total = 0;
    }

    /** Returns whether the tenant may begin or continue a count in this turn. */
    boolean isLeft(String tenantId) {
        return isLeft(tenantId, used.getOrDefault(tenantId, 0L), total);
    }

    private boolean isLeft(String tenantId, long ofTenant, long ofAll) {
        return ofTenant < NANOS / Math.max(1, waiting.size()) && (ofAll < NANOS || waiting.contains(tenantId));
    }

    /**
     * Counts for a tenant as long as its time lasts.
     *
     * @param counting is given whether to go on; returns null if it was interrupted
     * @return what the count returned; null also if no time is left
     */
    <T> @Nullable T spend(String tenantId, Function<BooleanSupplier, @Nullable T> counting) {
        if (!isLeft(tenantId)) {
            return null;
        }
        long began = nanoTime.getAsLong();
        long before = used.getOrDefault(tenantId, 0L);
        try {
            return counting.apply(() -> {
                long spent = nanoTime.getAsLong() - began;
                return isLeft(tenantId, before + spent, total + spent);
            });
        } finally {
            long spent = nanoTime.getAsLong() - began;
            used.put(tenantId, before + spent);
            total += spent;
        }
    }

    /** Notes that a count of the tenant was interrupted, or did not begin. */
    void interrupted(String tenantId) {
        interrupted.add(tenantId);
    }
}

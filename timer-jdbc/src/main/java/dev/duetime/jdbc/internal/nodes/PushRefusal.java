package dev.duetime.jdbc.internal.nodes;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The finding that notifications do not arrive at this process. It holds for an hour only, because the database may
 * have been slow at that moment. Thread-safe.
 */
public final class PushRefusal {
    static final Duration HOLDS = Duration.ofHours(1);

    private final LongSupplier nanoTime;

    // Mutable state, guarded by this.
    private boolean isFound;
    private long foundNanos;

    /** Creates it; nothing is found yet. */
    public PushRefusal(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    synchronized boolean holds() {
        return isFound && nanoTime.getAsLong() - foundNanos < HOLDS.toNanos();
    }

    /** Notes that notifications do not arrive. Returns whether that was found for the first time. */
    synchronized boolean found() {
        boolean first = !isFound;
        isFound = true;
        foundNanos = nanoTime.getAsLong();
        return first;
    }
}

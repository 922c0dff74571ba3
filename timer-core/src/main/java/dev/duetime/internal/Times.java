package dev.duetime.internal;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Comparisons of two instants. */
public final class Times {
    private Times() {}

    /** Returns the earlier of two instants. */
    public static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    /** Returns the later of two instants. */
    public static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    /** Returns the shorter of two durations. */
    public static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Returns the earlier of two instants; the other one if one is null. */
    public static @Nullable Instant earliest(@Nullable Instant a, @Nullable Instant b) {
        return a == null ? b : b == null ? a : earlier(a, b);
    }

    /** Returns the later of two instants; the other one if one is null. */
    public static @Nullable Instant latest(@Nullable Instant a, @Nullable Instant b) {
        return a == null ? b : b == null ? a : later(a, b);
    }
}

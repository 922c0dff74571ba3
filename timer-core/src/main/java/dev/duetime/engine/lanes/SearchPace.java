package dev.duetime.engine.lanes;

import dev.duetime.Clock;
import java.time.Duration;

/**
 * The share of the time that each part of the search for other tenants takes. It depends on whether the queue has had
 * several tenants lately. Used by one thread.
 */
public final class SearchPace {
    /** A search that has found something is followed by another one after this many times as long as it took. */
    private static final int PART_IF_FOUND = 3;
    /** A search that has found nothing is followed by another one after this many times as long as it took. */
    static final int PART = 20;
    /** The same, while only one tenant is known. */
    private static final int PART_OF_ONE_TENANT = 50;

    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(10).toNanos();

    /** How long a queue counts as one of several tenants. */
    private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private long severalUntilNanos;

    public SearchPace(Clock clock) {
        this.clock = clock;
        severalUntilNanos = clock.nanoTime();
    }

    /** Notes that the queue has timers of several tenants. */
    public void seesSeveral() {
        severalUntilNanos = clock.nanoTime() + KNOWN_NANOS;
    }

    /** Returns whether the queue has had timers of several tenants lately. */
    public boolean areKnown() {
        return severalUntilNanos - clock.nanoTime() > 0;
    }

    /** Returns when a backlog that begins now is searched first. A short backlog of one tenant is not searched. */
    public long first() {
        return clock.nanoTime() + (areKnown() ? 0 : SHORTEST_REST_NANOS);
    }

    /** Returns how long a part of the search rests. */
    public long rest(boolean hasFound, long tookNanos) {
        return hasFound
                ? PART_IF_FOUND * tookNanos
                : Math.max(SHORTEST_REST_NANOS, (areKnown() ? PART : PART_OF_ONE_TENANT) * tookNanos);
    }
}

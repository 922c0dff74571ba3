package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The back-off of a queue's loop while the store or the publisher is unavailable. Used by the loop's thread, except
 * {@link #isSet} and {@link #storeOutage}.
 */
final class BackOff {
    private final Clock clock;
    private final Outage store;

    // The back-off is over as soon as one of the times has passed: the clock may be set back, but nanoseconds are not.
    private volatile Instant until = Instant.MIN;
    private long untilNanos;

    BackOff(NodeSettings node, Clock clock) {
        this.clock = clock;
        store = new Outage(node.listeners().availability(Availability.STORE), node.random());
    }

    /** Returns whether the loop must not use the store or the publisher now. */
    boolean isOn() {
        return clock.now().isBefore(until) && clock.nanoTime() - untilNanos < 0;
    }

    /** As {@link #isOn}, but by the time alone, which may be set back. Called by any thread. */
    boolean isSet() {
        return clock.now().isBefore(until);
    }

    /**
     * Returns when the next turn is: at the end of the back-off, or earlier if the delivery has upkeep to do. Upkeep
     * that is due now waits until the end, because otherwise the loop would never let time pass.
     */
    Instant nextTurn(Instant upkeep) {
        return upkeep.isAfter(clock.now()) ? Times.earlier(until, upkeep) : until;
    }

    /** Sets the end of the back-off; {@link Instant#MIN} for no back-off. */
    void setEnd(Instant end) {
        Instant now = clock.now();
        until = end;
        untilNanos = clock.nanoTime()
                + (end.isAfter(now) ? Duration.between(now, end).toNanos() : 0);
    }

    /** Backs off after a failure of the store. */
    void storeFailed(Throwable failure) {
        setEnd(store.failed(failure, clock.now()));
    }

    /** Notes that the store answered. */
    void endOutage() {
        store.over(clock.now());
    }

    /** Returns the store's failures in a row; none if its last call succeeded. Called by any thread. */
    @Nullable
    OngoingOutage storeOutage() {
        return store.ongoing();
    }
}

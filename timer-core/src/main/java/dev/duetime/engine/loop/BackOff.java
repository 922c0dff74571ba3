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
 * {@link #storeOutage}.
 */
final class BackOff {
    private final Clock clock;
    private final Outage store;

    // Both must lie ahead: the time may be set back, the count of nanoseconds is not.
    private Instant until = Instant.MIN;
    private long untilNanos;

    BackOff(NodeSettings node, Clock clock) {
        this.clock = clock;
        store = new Outage(node.listeners().availability(Availability.STORE), node.random());
    }

    /** Returns whether the loop must leave the queue alone. */
    boolean isOn() {
        return clock.now().isBefore(until) && clock.nanoTime() - untilNanos < 0;
    }

    /**
     * Returns when the next turn is: at the end, or earlier if the delivery needs one. Upkeep that is due by now waits
     * for the end, or the loop would never let time pass.
     */
    Instant nextTurn(Instant upkeep) {
        return upkeep.isAfter(clock.now()) ? Times.earlier(until, upkeep) : until;
    }

    /** Sets until when the loop leaves the queue alone; {@link Instant#MIN} for not at all. */
    void until(Instant end) {
        Instant now = clock.now();
        until = end;
        untilNanos = clock.nanoTime()
                + (end.isAfter(now) ? Duration.between(now, end).toNanos() : 0);
    }

    /** Backs off after a failure of the store. */
    void storeFailed(Throwable failure) {
        until(store.failed(failure, clock.now()));
    }

    /** Notes that the store answered. */
    void storeAnswered() {
        store.over(clock.now());
    }

    /** Returns the failures of the store in a row, if its last call was one. Called by any thread. */
    @Nullable
    OngoingOutage storeOutage() {
        return store.ongoing();
    }
}

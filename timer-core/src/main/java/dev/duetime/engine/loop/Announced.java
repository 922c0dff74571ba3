package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The timers that were announced since the loop's last read. If the time of one is not known, the loop reads everything
 * that is due. It does that once a second at most: such a read is expensive in a backlog, and {@link LateArrivals}
 * searches for the timer meanwhile. What the loop knows of parallel keys stays. Thread-safe, except {@link #take} and
 * {@link #nextTry}, which the loop's thread calls.
 */
final class Announced {
    private static final long UNKNOWN_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Clock clock;
    private final AtomicReference<Instant> earliest = new AtomicReference<>(Instant.MAX);

    /** Whether the next read begins with the oldest timer. So does the first one. */
    private final AtomicBoolean all = new AtomicBoolean(true);

    /** Whether a timer was announced whose time is not known. */
    private final AtomicBoolean unknown = new AtomicBoolean();

    private long unknownAtNanos;

    Announced(Clock clock) {
        this.clock = clock;
        unknownAtNanos = clock.nanoTime();
    }

    /**
     * Adds a timer that is due at that time. {@link Instant#MIN} makes the next read begin with the oldest timer, and
     * announces none.
     */
    void add(Instant dueAt) {
        if (dueAt.equals(Instant.MIN)) {
            all.set(true);
        } else {
            earliest.accumulateAndGet(dueAt, Times::earlier);
        }
    }

    /** Adds a timer whose due time is not known. */
    void addUnknown() {
        unknown.set(true);
    }

    /** Hands everything to the plan of the next read. Returns when that read must be. */
    Instant take(ReadPlan plan) {
        Instant dueAt = earliest.getAndSet(Instant.MAX);
        plan.announce(dueAt);
        boolean readsAll = all.getAndSet(false);
        if (readsAll || (unknown.get() && clock.nanoTime() - unknownAtNanos >= 0)) {
            unknown.set(false);
            unknownAtNanos = clock.nanoTime() + UNKNOWN_EVERY_NANOS;
            plan.readFrom(Instant.MIN);
            return Instant.MIN;
        }
        return dueAt;
    }

    /** Returns when to read because of timers whose time is not known; {@link Instant#MAX} if there are none. */
    Instant nextTry(Instant now) {
        return unknown.get() ? now.plusNanos(Math.max(0, unknownAtNanos - clock.nanoTime())) : Instant.MAX;
    }

    boolean isEmpty() {
        return Instant.MAX.equals(earliest.get()) && !all.get() && !unknown.get();
    }
}

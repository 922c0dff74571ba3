package dev.duetime.engine.lanes;

import dev.duetime.Clock;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The reads that learn the parallel keys of what other reads leave out. They go on where the timers known so far end.
 * From time to time they begin again, because a timer may be cancelled meanwhile, or commit late. Until then all that
 * was learnt counts. They have a bounded part of the time. Used by one thread, or guarded by the lock of its owner.
 */
final class KeyWalk {
    /** While a timer waits for a read, these reads have a third of the time. */
    private static final int REST = 2;

    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(1).toNanos();

    /** Reads that repeat others have a quarter of the time until all is read, and a twentieth altogether. */
    private static final int REST_OF_CHECK = 3;

    private static final int PART_OF_CHECKS = 20;
    private static final long SHORTEST_REST_OF_CHECK_NANOS =
            Duration.ofMillis(10).toNanos();
    private static final long CHECK_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();

    /** If no read follows, the loop is woken again after this time, and then ever more rarely. */
    private static final long WAKE_NANOS = Duration.ofMillis(100).toNanos();

    private final Clock clock;

    /** All timers before this time are known. */
    private Instant knownTo = Instant.MIN;

    /** The known timers before this time were read again. */
    private Instant checkedTo = Instant.MIN;

    private boolean wanted;
    private boolean checks;
    private long restUntilNanos;
    private long checkAtNanos;
    private long checkTookNanos;
    private long wakeAgainAtNanos;
    private long wakesNanos = WAKE_NANOS;

    KeyWalk(Clock clock) {
        this.clock = clock;
        long now = clock.nanoTime();
        restUntilNanos = now;
        checkAtNanos = now;
        wakeAgainAtNanos = now;
    }

    /** Returns whether a timer is known. If it is not, the next read makes more known. */
    boolean knows(Instant wakeAt) {
        boolean known = wakeAt.isBefore(knownTo);
        wanted |= !known;
        return known;
    }

    boolean isWanted() {
        return wanted;
    }

    /** Notes that no timer waits for such a read. */
    void isNotWanted() {
        wanted = false;
    }

    /** Puts the next repetition off. */
    void restChecks() {
        checkAtNanos = Math.max(checkAtNanos, clock.nanoTime() + CHECK_NANOS);
    }

    /** Returns whether timers wait for such a read, and it may begin. */
    boolean mayLearn() {
        return wanted && isOver(restUntilNanos);
    }

    /** Returns whether known timers are to be read again. */
    boolean mayCheck() {
        return isOver(restUntilNanos) && isOver(checkAtNanos);
    }

    private boolean isOver(long untilNanos) {
        return clock.nanoTime() - untilNanos >= 0;
    }

    /** Begins such a read. Returns where it begins. */
    Instant begin() {
        checks = !wanted;
        wanted = false;
        wakeAgainAtNanos = clock.nanoTime();
        wakesNanos = WAKE_NANOS;
        return checks ? checkedTo : knownTo;
    }

    /**
     * Notes a read that left nothing out.
     *
     * @param end the time before which it returned all timers
     * @param more whether there may be more
     * @return whether all timers were read again
     */
    boolean done(Instant from, Instant end, boolean more, long tookNanos) {
        // More timers of one instant than a read takes are not all known.
        boolean isStuck = more && !end.isAfter(from) && !end.equals(Instant.MIN);
        Instant to = isStuck ? end.plus(1, ChronoUnit.MICROS) : end;
        readTo(from, to);
        long now = clock.nanoTime();
        if (!checks) {
            restUntilNanos = now + Math.max(SHORTEST_REST_NANOS, REST * tookNanos);
            return false;
        }
        restUntilNanos = now + Math.max(SHORTEST_REST_OF_CHECK_NANOS, REST_OF_CHECK * tookNanos);
        checkTookNanos += tookNanos;
        boolean hasEnded = !more || !to.isBefore(knownTo);
        checkedTo = hasEnded ? Instant.MIN : to;
        if (hasEnded) {
            checkAtNanos = now + Math.min(LONGEST_NANOS, Math.max(CHECK_NANOS, PART_OF_CHECKS * checkTookNanos));
            checkTookNanos = 0;
        }
        return hasEnded;
    }

    /** Notes that a read returned all timers from one time until before another. */
    void readTo(Instant from, Instant end) {
        knownTo = from.isAfter(knownTo) ? knownTo : Times.later(knownTo, end);
    }

    /** Notes that no timer is known from this time on. */
    void knownAtMostTo(Instant end) {
        knownTo = Times.earlier(knownTo, end);
        checkedTo = Times.earlier(checkedTo, end);
    }

    /**
     * Returns when the loop should have a turn for such a read; {@link Instant#MAX} if it need not.
     *
     * @param isHeldBack whether a timer waits for one that is known
     */
    Instant next(boolean isHeldBack) {
        if (!wanted && !isHeldBack) {
            return Instant.MAX;
        }
        long now = clock.nanoTime();
        long at = Math.max(restUntilNanos - now, wakeAgainAtNanos - now);
        at = wanted ? at : Math.max(at, checkAtNanos - now);
        return at <= 0 ? Instant.MIN : Micros.ceil(clock.now().plusNanos(at));
    }

    /** Notes that the loop has a turn for such a read. */
    void woken() {
        wakeAgainAtNanos = clock.nanoTime() + wakesNanos;
        wakesNanos = Math.min(2 * wakesNanos, LONGEST_NANOS);
    }
}

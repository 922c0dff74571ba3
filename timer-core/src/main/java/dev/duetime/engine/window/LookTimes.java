package dev.duetime.engine.window;

import dev.duetime.Clock;
import java.time.Duration;

/**
 * The times of one kind of looks behind a backlog. Their cost may grow with the backlog, so they take a bounded part of
 * the time, also if they fail: a twentieth, or a third if they are worth more. Used by one thread.
 */
public final class LookTimes {
    /** How long to rest after a look that failed, at least: the store may be away. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** A usual look is followed by another one after this many times as long as it took. */
    private static final int PART = 20;

    /** The same for looks that are worth more, if they are slow. */
    private static final int SOON_PART = 2;

    private static final Duration SOON_REST = Duration.ofSeconds(1);

    /** The same for looks that find nothing, as far as is known. */
    private static final int PART_IN_VAIN = 50;

    private static final Duration REST_IN_VAIN = Duration.ofSeconds(1);

    /** The longest rest after these, unless they are very slow: what is known may be wrong. */
    private static final Duration MOST_IN_VAIN = Duration.ofSeconds(10);

    private static final int MOST_PART_IN_VAIN = 5;

    /** How long to rest at least after a look that must catch up. */
    private static final Duration CATCHING_UP = Duration.ofMillis(10);

    /** How much of the time that looks have not taken counts for the next ones. */
    private static final Duration SAVED = Duration.ofMillis(500);

    /** What a look counts for, at least. */
    private static final Duration LEAST = Duration.ofMillis(1);

    private final Clock clock;
    private final Duration shortest;
    private long soonAtNanos;
    private long usualAtNanos;
    private long inVainAtNanos;

    /** Up to when looks of a series have used their part of the time. */
    private long usedUpToNanos;

    /**
     * Creates the times. It is time for the first look.
     *
     * @param shortest how long to rest after a look, at least
     */
    public LookTimes(Clock clock, Duration shortest) {
        this.clock = clock;
        this.shortest = shortest;
        soonAtNanos = clock.nanoTime();
        usualAtNanos = soonAtNanos;
        inVainAtNanos = soonAtNanos;
        usedUpToNanos = soonAtNanos;
    }

    /** Returns how long it is until the next look, if the loop has nothing else to read, or it will find something. */
    public Duration untilSoon() {
        return until(soonAtNanos);
    }

    /** Returns how long it is until the next look, if other reads have work and it may find something. */
    public Duration untilUsual() {
        return until(usualAtNanos);
    }

    /** Returns how long it is until the next look, if it finds nothing, as far as is known. */
    public Duration untilInVain() {
        return until(inVainAtNanos);
    }

    private Duration until(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - clock.nanoTime()));
    }

    /** Notes the end of a look, and when it began. */
    public void ended(long beganNanos) {
        long now = clock.nanoTime();
        long took = now - beganNanos;
        long usual = Math.max(shortest.toNanos(), PART * took);
        long soon = Math.max(shortest.toNanos(), Math.max(SOON_REST.toNanos(), SOON_PART * took));
        long inVain = Math.max(REST_IN_VAIN.toNanos(), PART_IN_VAIN * took);
        usualAtNanos = now + usual;
        soonAtNanos = now + Math.min(usual, soon);
        inVainAtNanos = now + Math.min(inVain, Math.max(MOST_IN_VAIN.toNanos(), MOST_PART_IN_VAIN * took));
    }

    /** Notes the end of a look that has not found all, and when it began. The next one may follow soon. */
    public void catchesUp(long beganNanos) {
        ended(beganNanos);
        long now = clock.nanoTime();
        soonAtNanos = now + Math.max(CATCHING_UP.toNanos(), SOON_PART * (now - beganNanos));
    }

    /**
     * Notes the end of one of many short looks, and when it began. On average they take a third of the time. After a
     * rest some follow at once, also while other reads take long.
     */
    public void continues(long beganNanos) {
        ended(beganNanos);
        long took = Math.max(LEAST.toNanos(), clock.nanoTime() - beganNanos);
        usedUpToNanos = Math.max(usedUpToNanos, beganNanos - SAVED.toNanos()) + (1 + SOON_PART) * took;
        soonAtNanos = usedUpToNanos;
    }

    /** Notes that a look has failed, and when it began. */
    public void failed(long beganNanos) {
        ended(beganNanos);
        long earliest = clock.nanoTime() + AFTER_FAILURE.toNanos();
        usualAtNanos = Math.max(usualAtNanos, earliest);
        soonAtNanos = usualAtNanos;
        inVainAtNanos = Math.max(inVainAtNanos, earliest);
    }
}

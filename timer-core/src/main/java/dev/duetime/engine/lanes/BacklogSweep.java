package dev.duetime.engine.lanes;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * The part of the search for other tenants that goes through the backlog step by step. When it has come to the end, it
 * begins again after a long rest. Used by the loop's thread.
 */
public final class BacklogSweep {
    private static final long REST_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long SHORT_STEP_NANOS = Duration.ofMillis(5).toNanos();
    private static final long LONG_STEP_NANOS = Duration.ofMillis(20).toNanos();
    private static final Duration FIRST_STEP = Duration.ofSeconds(1);
    private static final Duration SHORTEST_STEP = Duration.ofMillis(1);
    private static final Duration LONGEST_STEP = Duration.ofDays(1);
    private static final int STEP_FACTOR = 4;

    private final Clock clock;
    private final SearchPace pace;
    private final SearchLevels levels = new SearchLevels(true);

    private Instant to = Instant.MIN;
    private Duration step = FIRST_STEP;
    private long stepAtNanos;
    private long sweptNanos;

    /** The tenants that filled the last read. The searches of the present have left out what became due of them. */
    private Set<String> filledBefore = Set.of();

    /** Whether one of them no longer fills a read, so that the backlog is searched again without a long rest. */
    private boolean sweepsAgain;

    /** From when on the search keeps within its share of the time. */
    private long mayStartAtNanos;

    public BacklogSweep(Clock clock, SearchPace pace) {
        this.clock = clock;
        this.pace = pace;
    }

    /**
     * Begins with a backlog.
     *
     * @param from where it begins
     * @param to where it ends
     * @param nanos when to take the first step
     */
    public void begin(Instant from, Instant to, long nanos) {
        levels.startAt(from);
        this.to = to;
        step = FIRST_STEP;
        stepAtNanos = nanos;
        mayStartAtNanos = nanos;
        sweptNanos = 0;
        filledBefore = Set.of();
        sweepsAgain = false;
    }

    /** Notes which tenants fill the last read. */
    public void noteFilling(Set<String> filling) {
        sweepsAgain |= !filling.containsAll(filledBefore);
        filledBefore = filling;
        boolean rests = !levels.first().isBefore(to);
        if (sweepsAgain && rests && mayStartAtNanos - stepAtNanos < 0) {
            stepAtNanos = mayStartAtNanos;
        }
    }

    /** Returns whether it is time for a step. */
    public boolean isTime(long nanos) {
        return nanos - stepAtNanos >= 0;
    }

    /**
     * Takes a step.
     *
     * @param oldest when the oldest due timer wakes: a new round begins there
     * @throws dev.duetime.StoreException if the store failed; then the next step is shorter, and comes after a rest
     */
    public void takeStep(TenantSearch search, Instant oldest, Set<String> filling, FoundTimers found) {
        long began = clock.nanoTime();
        int foundBefore = found.timers().size();
        if (!levels.first().isBefore(to)) {
            DueQuery asked = search.asked();
            levels.startAt(Times.later(asked.from(), oldest));
            to = asked.now();
            sweptNanos = 0;
            sweepsAgain = false;
        }
        try {
            levels.read(search, this::endOfStep, filling, found);
        } catch (StoreException e) {
            broken(clock.nanoTime() - began);
            throw e;
        }
        long took = clock.nanoTime() - began;
        sweptNanos += took;
        adapt(took);
        long ended = began + took;
        mayStartAtNanos = ended + SearchPace.PART * sweptNanos;
        stepAtNanos = levels.first().isBefore(to)
                ? ended + pace.rest(found.timers().size() > foundBefore, took)
                : mayStartAtNanos + (sweepsAgain ? 0 : REST_NANOS);
    }

    /** The statement may have exceeded a limit of time. */
    private void broken(long took) {
        sweptNanos += took;
        shorten();
        stepAtNanos = clock.nanoTime() + pace.rest(false, took);
    }

    private void adapt(long took) {
        if (took < SHORT_STEP_NANOS) {
            step = step.compareTo(LONGEST_STEP) < 0 ? step.multipliedBy(STEP_FACTOR) : step;
        } else if (took > LONG_STEP_NANOS) {
            shorten();
        }
    }

    private void shorten() {
        step = step.compareTo(SHORTEST_STEP) > 0 ? step.dividedBy(STEP_FACTOR) : step;
    }

    private Instant endOfStep(Instant from) {
        Instant start = from.equals(Instant.MIN) ? to.minus(LONGEST_STEP) : from;
        return Times.earlier(start.plus(step), to);
    }
}

package dev.duetime.engine.loop;

import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a range that reads go through one by one. A read that leaves something out passes over it, however much
 * it is, in one statement. If that fails, for example because it took longer than the database allows, the next reads
 * take a part of the range each. Used by one thread.
 */
final class ReadParts {
    private static final Duration LONGEST = Duration.ofDays(100_000);
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final int FACTOR = 4;

    private static final long SHORT_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LONG_NANOS = Duration.ofMillis(100).toNanos();

    private final Function<Set<Integer>, @Nullable Instant> oldest;

    /** How long the range of a read is, at most. */
    private Duration step = LONGEST;

    /** Whether the last read failed. */
    private boolean hasFailed;

    private boolean isPart;

    /** Whether the last read was one of a part, and returned all of it. */
    private boolean hasReadPart;

    /**
     * Creates a view of ranges that are read whole.
     *
     * @param oldest returns when the oldest timer of some shards wakes; null if there is none
     */
    ReadParts(Function<Set<Integer>, @Nullable Instant> oldest) {
        this.oldest = oldest;
    }

    /** Begins a read. Returns where it ends. */
    Instant begin(Set<Integer> shards, Instant from, Instant now) {
        hasReadPart = false;
        isPart = false;
        if (!areUsed() && !hasFailed) {
            return now;
        }
        Instant start = from.equals(Instant.MIN) ? oldest(shards, now) : from;
        if (hasFailed) {
            Duration range = Duration.between(start, now);
            shorten(range.compareTo(step) < 0 ? range : step);
            hasFailed = false;
        }
        Instant to = Times.earlier(start.plus(step), now);
        isPart = to.isBefore(now);
        return to;
    }

    private Instant oldest(Set<Integer> shards, Instant now) {
        Instant first = oldest.apply(shards);
        return first == null ? now : Times.earlier(first, now);
    }

    /** Begins a read that has its own range. */
    void beginOther() {
        hasReadPart = false;
        isPart = false;
    }

    /** Returns whether the read ends before the present. */
    boolean isPart() {
        return isPart;
    }

    /** Notes that the read succeeded: the next part may have another length. */
    void succeeded(boolean more, long tookNanos) {
        hasReadPart = isPart && !more;
        if (hasReadPart && tookNanos < SHORT_NANOS) {
            step = step.compareTo(LONGEST.dividedBy(FACTOR)) < 0 ? step.multipliedBy(FACTOR) : LONGEST;
        } else if (isPart && tookNanos > LONG_NANOS) {
            shorten(step);
        }
    }

    /** Returns whether the last read was one of a part, and returned all of it. */
    boolean hasReadPart() {
        return hasReadPart;
    }

    /** Returns whether ranges are read in parts. */
    boolean areUsed() {
        return step.compareTo(LONGEST) < 0;
    }

    /** Notes that the read failed: the next one takes a quarter of its range. */
    void failed() {
        hasFailed = true;
    }

    private void shorten(Duration range) {
        step = range.compareTo(SHORTEST.multipliedBy(FACTOR)) > 0 ? range.dividedBy(FACTOR) : SHORTEST;
    }
}

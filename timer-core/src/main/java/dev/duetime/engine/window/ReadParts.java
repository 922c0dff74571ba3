package dev.duetime.engine.window;

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

    /** A range is many times as long as its read takes. So the reads come to the present, whatever they take. */
    private static final int TIMES_READ = 16;

    private final Function<Set<Integer>, @Nullable Instant> oldest;

    /** How long the range of a read is, at most. */
    private Duration step = LONGEST;

    /** Where the range of a read ended that failed; null if the next read is no shorter than the last one. */
    private @Nullable Instant failedTo;

    private boolean isFromOldest;
    private Instant to = Instant.MIN;
    private boolean isPart;

    /** Whether the read has returned all of its range. */
    private boolean hasReadAll;

    /**
     * Creates a view of ranges that are read whole.
     *
     * @param oldest returns when the oldest timer of some shards wakes; null if there is none
     */
    ReadParts(Function<Set<Integer>, @Nullable Instant> oldest) {
        this.oldest = oldest;
    }

    /** Begins a read that has its own range. */
    void beginOther() {
        hasReadAll = false;
        isPart = false;
    }

    /** Begins a read. Returns where it ends. */
    Instant begin(Set<Integer> shards, Instant from, Instant now) {
        beginOther();
        to = now;
        isFromOldest = from.equals(Instant.MIN);
        if (!areUsed() && failedTo == null) {
            return to;
        }
        Instant start = isFromOldest ? oldest(shards, now) : from;
        if (failedTo != null) {
            Duration range = Duration.between(start, failedTo);
            if (range.compareTo(Duration.ZERO) > 0) {
                shorten(range.compareTo(step) < 0 ? range : step);
            }
            failedTo = null;
        }
        to = Times.earlier(start.plus(step), now);
        isPart = to.isBefore(now);
        return to;
    }

    private Instant oldest(Set<Integer> shards, Instant now) {
        Instant first = oldest.apply(shards);
        return first == null ? now : Times.earlier(first, now);
    }

    /** Returns whether the read ends before the present. */
    boolean isPart() {
        return isPart;
    }

    /** Notes that the read succeeded: the next one may have another length. */
    void succeeded(boolean more, long tookNanos) {
        hasReadAll = !more;
        boolean isTooShort = step.compareTo(Duration.ofNanos(TIMES_READ * tookNanos)) < 0;
        if (isPart && !more && (tookNanos < SHORT_NANOS || isTooShort)) {
            step = step.compareTo(LONGEST.dividedBy(FACTOR)) < 0 ? step.multipliedBy(FACTOR) : LONGEST;
        } else if (isPart && !more && !isTooShort && tookNanos > LONG_NANOS) {
            shorten(step);
        } else if (isFromOldest && !isPart && !more && tookNanos < LONG_NANOS) {
            step = LONGEST;
        }
    }

    /** Returns whether the last read has returned all of its range. */
    boolean hasReadAll() {
        return hasReadAll;
    }

    /** Returns whether ranges are read in parts. */
    boolean areUsed() {
        return step.compareTo(LONGEST) < 0;
    }

    /** Notes that the read failed: the next one takes a quarter of its range. */
    void failed() {
        failedTo = to;
    }

    private void shorten(Duration range) {
        step = range.compareTo(SHORTEST.multipliedBy(FACTOR)) > 0 ? range.dividedBy(FACTOR) : SHORTEST;
    }
}

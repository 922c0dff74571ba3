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
    private static final int TIMES_READ = 8;

    /** How often the shortest part fails until it is probably the instant, and no outage. */
    private static final int MOST_FAILURES = 8;

    private final Function<Set<Integer>, @Nullable Instant> oldest;

    /** How long the range of a read is, at most. */
    private Duration step = LONGEST;

    /** Where the range of a read from the oldest timer on ended that failed; null if that was noted. */
    private @Nullable Instant failedTo;

    /** Whether the last read of a whole range failed at once, for example because a connection was lost. */
    private boolean hasFailedOnce;

    /** Where the last of the shortest parts began that failed, and how often it did. */
    private Instant failedStart = Instant.MIN;

    private int failures;
    private boolean isFromOldest;

    /** The range of the read; it begins at {@link Instant#MIN} if the oldest timer was not asked for. */
    private Instant start = Instant.MIN;

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
        start = from;
        isFromOldest = from.equals(Instant.MIN);
        if (!areUsed() && failedTo == null) {
            return to;
        }
        if (isFromOldest) {
            start = oldest(shards, now);
            if (failedTo != null) {
                rangeFailed(failedTo);
                failedTo = null;
            }
        }
        to = Times.earlier(start.plus(step), now);
        isPart = to.isBefore(now);
        return to;
    }

    private void rangeFailed(Instant end) {
        Duration range = Duration.between(start, end);
        if (range.compareTo(Duration.ZERO) > 0) {
            shorten(range.compareTo(step) < 0 ? range : step);
        }
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
        hasFailedOnce = false;
        boolean isTooShort = step.compareTo(Duration.ofNanos(TIMES_READ * tookNanos)) < 0;
        if (isPart && (tookNanos < SHORT_NANOS || (isTooShort && !more))) {
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

    /** Returns where the read ends. */
    Instant to() {
        return to;
    }

    /** Makes the next read one of a whole range. */
    void forget() {
        step = LONGEST;
        failedTo = null;
        hasFailedOnce = false;
        failures = 0;
    }

    /** Returns whether ranges are read in parts. */
    boolean areUsed() {
        return step.compareTo(LONGEST) < 0;
    }

    /**
     * Notes that the read failed: the next one takes a quarter of its range. The first failure of a whole range that
     * took no time changes nothing: it is no limit of the database.
     *
     * @return whether it is one of the shortest parts that has failed many times: one instant is too much for a read
     */
    boolean failed(long tookNanos) {
        if (!areUsed() && tookNanos < LONG_NANOS && !hasFailedOnce) {
            hasFailedOnce = true;
            return false;
        }
        hasFailedOnce = false;
        boolean isShortest = isPart && step.compareTo(SHORTEST.multipliedBy(FACTOR)) <= 0;
        shortenRange();
        failures = isShortest ? (start.equals(failedStart) ? failures + 1 : 1) : 0;
        failedStart = start;
        return failures >= MOST_FAILURES;
    }

    private void shortenRange() {
        if (start.equals(Instant.MIN)) {
            failedTo = to;
        } else {
            rangeFailed(to);
        }
    }

    private void shorten(Duration range) {
        step = range.compareTo(SHORTEST.multipliedBy(FACTOR)) > 0 ? range.dividedBy(FACTOR) : SHORTEST;
    }
}

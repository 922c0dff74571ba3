package dev.duetime.engine.settle;

import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The most recent occurrences of each recurrence, up to a limit. They are counted one by one, back from now. A count
 * may be interrupted: the next call continues it and adds what has come since. All timers of one recurrence share a
 * count, so no occurrence is counted twice. Used by one thread.
 */
final class RecentOccurrences {
    /** The number of missed occurrences that a timer may deliver: the most recent ones. */
    static final int MOST = 1_000;

    /**
     * How long a count is kept while no timer needs it. No recurrence has more than {@link #MOST} occurrences in this
     * time, so a new count would be no shorter.
     */
    private static final Duration LONGEST_KEPT = Duration.ofSeconds(MOST);

    /** Bounds memory. Beyond it, all are counted anew. */
    private static final int MOST_REMEMBERED = 10_000;

    private static final Duration TICK = Duration.ofNanos(1_000);

    private final Map<String, Count> counts = new HashMap<>();

    /**
     * Counts until it is known whether a timer has missed more than {@link #MOST} occurrences.
     *
     * @param text identifies the recurrence
     * @param mayGoOn asked before each occurrence
     * @return null if the count was interrupted
     */
    @Nullable
    Count count(String text, Recurrence recurrence, Instant dueAt, Instant now, BooleanSupplier mayGoOn) {
        Count count = counts.get(text);
        if (count == null || !count.isOfUse(now)) {
            if (!mayGoOn.getAsBoolean()) {
                return null;
            }
            if (counts.size() > MOST_REMEMBERED) {
                counts.clear();
            }
            count = new Count(recurrence, now);
            counts.put(text, count);
        }
        return count.add(recurrence, now, mayGoOn) && count.goBack(recurrence, dueAt, mayGoOn) ? count : null;
    }

    /** A run of occurrences that ends now. */
    static final class Count {
        private Instant askedAt;
        private @Nullable Instant first;
        private @Nullable Instant following;
        private int size;

        private Count(Recurrence recurrence, Instant now) {
            askedAt = now;
            first = recurrence.latest(now).orElse(null);
            following = recurrence.next(now).orElse(null);
            size = 1;
        }

        private boolean isOfUse(Instant now) {
            return Duration.between(askedAt, now).abs().compareTo(LONGEST_KEPT) <= 0;
        }

        /** Adds the occurrences that have come since. Returns false if interrupted. */
        private boolean add(Recurrence recurrence, Instant now, BooleanSupplier mayGoOn) {
            askedAt = now;
            while (following != null && !following.isAfter(now)) {
                if (!mayGoOn.getAsBoolean()) {
                    return false;
                }
                Instant added = following;
                if (first != null && size == MOST) {
                    first = recurrence.next(first).orElse(added);
                } else if (first != null) {
                    size++;
                } else {
                    first = added;
                }
                following = recurrence.next(added).orElse(null);
            }
            return true;
        }

        /** Counts back to the current occurrence of a timer, or to the limit. Returns false if interrupted. */
        private boolean goBack(Recurrence recurrence, Instant dueAt, BooleanSupplier mayGoOn) {
            while (first != null && first.isAfter(dueAt) && size < MOST) {
                if (!mayGoOn.getAsBoolean()) {
                    return false;
                }
                Optional<Instant> before = recurrence.latest(first.minus(TICK));
                if (before.isEmpty()) {
                    return true;
                }
                first = before.get();
                size++;
            }
            return true;
        }

        /** Returns the oldest occurrence that a timer may deliver; null if its current one is not older. */
        @Nullable
        Instant skippedTo(Instant dueAt) {
            return first != null && size == MOST && first.isAfter(dueAt) ? first : null;
        }
    }
}

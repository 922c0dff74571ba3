package dev.duetime.admin;

import dev.duetime.TimerKey;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A query for the scheduled timers of a queue in the order in which they wake. Immutable and thread-safe.
 *
 * @param queue the queue
 * @param from the earliest time at which they wake; {@link Instant#MIN} for any
 * @param after of those that wake at {@code from} exactly, only the ones with a key after this one; null for all
 * @param limit how many at most, 1 to 1,000; 100 by default
 */
public record UpcomingQuery(
        String queue, Instant from, @Nullable TimerKey after, int limit) {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 1_000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code queue} or {@code from} is null, or {@code limit} out of range
     */
    public UpcomingQuery {
        Limits.given("queue", queue);
        Limits.given("from", from);
        Limits.number("limit", limit, 1, MOST);
    }

    /** Returns the query for the first timers of a queue: what has been due for longest, or is due next. */
    public static UpcomingQuery of(String queue) {
        return new UpcomingQuery(queue, Instant.MIN, null, DEFAULT_LIMIT);
    }

    /**
     * Returns this query for timers that wake at an instant or later.
     *
     * @throws IllegalArgumentException if {@code earliest} is null
     */
    public UpcomingQuery from(Instant earliest) {
        return new UpcomingQuery(queue, earliest, null, limit);
    }

    /**
     * Returns this query for the page after the one that ended with {@code last}.
     *
     * @throws IllegalArgumentException if {@code last} is not scheduled
     */
    public UpcomingQuery after(TimerSummary last) {
        Instant wakeAt = last.wakeAt();
        if (wakeAt == null) {
            throw new LimitException("last", "last must be scheduled but was " + last.state());
        }
        return new UpcomingQuery(queue, wakeAt, last.key(), limit);
    }

    /**
     * Returns this query with another page size.
     *
     * @param most 1 to 1,000
     * @throws IllegalArgumentException if it is out of range
     */
    public UpcomingQuery limit(int most) {
        return new UpcomingQuery(queue, from, after, most);
    }
}

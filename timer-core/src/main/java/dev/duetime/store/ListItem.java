package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import java.time.Duration;
import java.time.Instant;

/**
 * An item of a list, to be done by a time. The same key with another time is the same item, moved. Immutable and
 * thread-safe.
 *
 * @param key list and id
 * @param overdueAt from when on it is overdue, years 1 to 9999; rounded up to a whole microsecond
 */
@Beta
public record ListItem(ListKey key, Instant overdueAt) {
    private static final Duration LONGEST = Duration.ofDays(3_650_000);

    /**
     * Checks the time.
     *
     * @throws IllegalArgumentException if a part is null, or {@code overdueAt} is out of range
     */
    public ListItem {
        Limits.given("key", key);
        overdueAt = Micros.ceil(Limits.instant("overdueAt", overdueAt));
    }

    /**
     * Returns an item that is overdue some time after another.
     *
     * @param timeoutAfter not negative, at most 3,650,000 days
     * @throws IllegalArgumentException if {@code timeoutAfter} is out of range, or as the constructor
     */
    public static ListItem after(ListKey key, Instant now, Duration timeoutAfter) {
        Limits.duration("timeoutAfter", timeoutAfter, Duration.ZERO, LONGEST);
        return new ListItem(key, now.plus(timeoutAfter));
    }
}

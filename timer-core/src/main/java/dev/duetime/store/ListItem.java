package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
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
    /**
     * Checks the time.
     *
     * @throws IllegalArgumentException if a part is null, or {@code overdueAt} is out of range
     */
    public ListItem {
        Limits.given("key", key);
        overdueAt = Micros.ceil(Limits.instant("overdueAt", overdueAt));
    }
}

package dev.duetime;

import java.time.Instant;

/**
 * Is something to be done by a time. The same key with another time is the same item, moved. Immutable and thread-safe.
 *
 * @param key list and id
 * @param overdueAt from when on it is overdue, years 1 to 9999; rounded up to a whole microsecond
 */
public record TodoItem(TodoKey key, Instant overdueAt) {

    /**
     * Checks the time.
     *
     * @throws IllegalArgumentException if a part is null, or {@code overdueAt} is out of range
     */
    public TodoItem {
        Limits.given("key", key);
        overdueAt = Micros.ceil(Limits.instant("overdueAt", overdueAt));
    }
}

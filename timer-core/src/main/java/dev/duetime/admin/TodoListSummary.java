package dev.duetime.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A to-do list that has open items. Immutable and thread-safe.
 *
 * @param list its name
 * @param open how many items it has
 * @param overdue how many of them are overdue
 * @param first when the first of them is, or was, overdue; null if all were done meanwhile
 */
public record TodoListSummary(
        String list,
        BoundedCount open,
        BoundedCount overdue,
        @Nullable Instant first) {

    /**
     * An open item.
     *
     * @param id its id
     * @param overdueAt from when on it is overdue
     */
    public record Item(String id, Instant overdueAt) {}
}

package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Printable;

/**
 * The name of an item of a to-do list.
 *
 * <p>Two keys are the same iff both parts are equal character by character: case, accents and trailing spaces count, on
 * every database. Immutable and thread-safe.
 *
 * @param list which list, 1 to 64 characters without control characters
 * @param id which item of that list, 1 to 255 characters without control characters
 */
@Beta
public record ListKey(String list, String id) implements Comparable<ListKey> {

    /**
     * Checks both parts.
     *
     * @throws IllegalArgumentException if a part is null, empty or too long, or contains a control character or an
     *     unpaired surrogate
     */
    public ListKey {
        Limits.name("list", list, Limits.QUEUE_LENGTH);
        Limits.text("id", id, Limits.KEY_LENGTH);
    }

    /** Orders by list, then by id: the order in which batches lock rows. */
    @Override
    public int compareTo(ListKey other) {
        int byList = list.compareTo(other.list);
        return byList != 0 ? byList : id.compareTo(other.id);
    }

    /** Returns {@code list/id}, for people: fit for a log. */
    @Override
    public String toString() {
        return Printable.line(list + "/" + id);
    }
}

package dev.duetime.engine.schedule;

import dev.duetime.store.CollisionException;
import dev.duetime.store.LockedException;
import dev.duetime.store.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A write of several rows in which no row stops another. The rows are written together. If that fails because of one of
 * them, the halves are written, down to single rows: each row but those at fault is written. Used by one thread.
 *
 * @param <T> a row
 */
public final class RowsApart<T> {
    private final ToIntFunction<List<T>> write;
    private final List<T> refused = new ArrayList<>();
    private @Nullable RuntimeException first;

    /**
     * Creates a write.
     *
     * @param write writes some rows: all of them, or none if it throws. Returns how many it changed
     */
    public RowsApart(ToIntFunction<List<T>> write) {
        this.write = write;
    }

    /**
     * Returns whether a failure may be that of a single row: its values are invalid, the database refuses it, or
     * another transaction is in its way. An outage is no such failure.
     */
    public static boolean isOfARow(@Nullable Throwable failure) {
        return failure instanceof IllegalArgumentException
                || failure instanceof RefusedException
                || failure instanceof LockedException
                || failure instanceof CollisionException;
    }

    /**
     * Writes rows.
     *
     * @return how many were changed
     * @throws dev.duetime.StoreException if the store is away; then some rows may have been written
     */
    public int write(List<T> rows) {
        if (rows.isEmpty()) {
            return 0;
        }
        try {
            return write.applyAsInt(rows);
        } catch (RuntimeException e) {
            if (!isOfARow(e)) {
                throw e;
            }
            if (rows.size() == 1) {
                refused.add(rows.get(0));
                first = first == null ? e : first;
                return 0;
            }
        }
        int half = rows.size() / 2;
        return write(rows.subList(0, half)) + write(rows.subList(half, rows.size()));
    }

    /** Returns the rows that were not written because of themselves. */
    public List<T> refused() {
        return List.copyOf(refused);
    }

    /** Returns why the first of them was not written; null if there is none. */
    public @Nullable RuntimeException first() {
        return first;
    }

    /** Throws {@link #first}, if there is one. */
    public void throwFirst() {
        if (first != null) {
            throw first;
        }
    }
}

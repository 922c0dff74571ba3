package dev.duetime.engine.schedule;

import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.LockedException;
import dev.duetime.store.RefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A write of several rows in which no row stops another. The rows are written together. If that fails because of one of
 * them, the halves are written, down to single rows: each row but those at fault is written. Used by one thread.
 *
 * <p>If a store does not say whether a row is the reason of a failure, it is one if any other row is written. Once
 * three single rows have failed so and none is written, the other parts are written whole, and then the last row of
 * each. If none of them is written, the failure is that of the store.
 *
 * <p>A write that meets a row of another transaction may have waited for it for long. From then on each part waits only
 * briefly, or, if the store cannot do that, each row is written alone. So the wait is not repeated for each half.
 *
 * @param <T> a row
 */
public final class RowsApart<T> {
    /** How many single rows may fail for a reason in doubt before any row is written. */
    private static final int ROWS_IN_DOUBT = 3;

    private final ToIntFunction<List<T>> write;
    private final @Nullable ToIntFunction<List<T>> brief;
    private final List<Left<T>> left = new ArrayList<>();

    /** The parts that failed while it was in doubt whether the store can write any row. */
    private final Deque<List<T>> undecided = new ArrayDeque<>();

    private boolean meetsLock;
    private boolean hasWritten;
    private int doubtful;
    private @Nullable DoubtfulException doubt;

    private record Left<T>(T row, RuntimeException reason) {}

    /**
     * Creates a write.
     *
     * @param write writes some rows: all of them, or none if it throws. Returns how many it changed
     */
    public RowsApart(ToIntFunction<List<T>> write) {
        this.write = write;
        brief = null;
    }

    /**
     * Creates a write.
     *
     * @param write writes some rows: all of them, or none if it throws. Returns how many it changed
     * @param brief does the same, but waits only briefly for rows that another transaction holds
     */
    public RowsApart(ToIntFunction<List<T>> write, ToIntFunction<List<T>> brief) {
        this.write = write;
        this.brief = brief;
    }

    /**
     * Returns whether a failure may be that of a single row: its values are invalid, the database refuses it, or
     * another transaction is in its way. An outage is no such failure.
     */
    public static boolean isOfARow(@Nullable Throwable failure) {
        return failure instanceof IllegalArgumentException
                || failure instanceof RefusedException
                || failure instanceof DoubtfulException
                || isOfALock(failure);
    }

    private static boolean isOfALock(@Nullable Throwable failure) {
        return failure instanceof LockedException || failure instanceof CollisionException;
    }

    /**
     * Writes rows.
     *
     * @return how many were changed
     * @throws dev.duetime.StoreException if the store is away; then some rows may have been written
     */
    public int write(List<T> rows) {
        int changed = writePart(rows);
        for (int i = undecided.size(); i > 0 && !hasWritten; i--) {
            List<T> part = undecided.removeFirst();
            int last = part.size() - 1;
            undecided.addLast(part.subList(0, last));
            changed += writePart(part.subList(last, last + 1));
        }
        DoubtfulException inDoubt = doubt;
        if (inDoubt != null && isOfStore()) {
            throw inDoubt;
        }
        while (!undecided.isEmpty()) {
            changed += writePart(undecided.removeFirst());
        }
        return changed;
    }

    private int writePart(List<T> rows) {
        if (rows.isEmpty()) {
            return 0;
        }
        ToIntFunction<List<T>> how = meetsLock && brief != null ? brief : write;
        try {
            int changed = how.applyAsInt(rows);
            hasWritten = true;
            return changed;
        } catch (RuntimeException e) {
            if (!isOfARow(e)) {
                throw e;
            }
            meetsLock |= isOfALock(e);
            doubt = e instanceof DoubtfulException inDoubt ? inDoubt : doubt;
            if (rows.size() == 1) {
                doubtful += e instanceof DoubtfulException ? 1 : 0;
                left.add(new Left<>(rows.get(0), e));
                return 0;
            }
            if (e instanceof DoubtfulException && isOfStore()) {
                undecided.add(rows);
                return 0;
            }
        }
        if (meetsLock && brief == null) {
            return rows.stream().map(List::of).mapToInt(this::writePart).sum();
        }
        int half = rows.size() / 2;
        return writePart(rows.subList(0, half)) + writePart(rows.subList(half, rows.size()));
    }

    /**
     * Returns whether several single rows have failed for a reason in doubt and none was written: it may be the store.
     */
    private boolean isOfStore() {
        return !hasWritten && doubtful >= ROWS_IN_DOUBT;
    }

    /** Returns the rows that were not written because of themselves. */
    public List<T> refused() {
        return left.stream().map(Left::row).toList();
    }

    /** Returns those of them that another transaction holds. */
    public List<T> held() {
        return left.stream()
                .filter(each -> isOfALock(each.reason()))
                .map(Left::row)
                .toList();
    }

    /** Returns why the first of them was not written; null if there is none. */
    public @Nullable RuntimeException first() {
        return first(reason -> true);
    }

    /** Returns why the first of those was not written that another transaction holds; null if there is none. */
    public @Nullable RuntimeException firstHeld() {
        return first(RowsApart::isOfALock);
    }

    /** Returns why the first of the others was not written; null if there is none. */
    public @Nullable RuntimeException firstRefused() {
        return first(reason -> !isOfALock(reason));
    }

    private @Nullable RuntimeException first(Predicate<RuntimeException> which) {
        RuntimeException first =
                left.stream().map(Left::reason).filter(which).findFirst().orElse(null);
        return first instanceof DoubtfulException doubt && hasWritten ? doubt.ofARow() : first;
    }

    /** Throws {@link #first}, if there is one. */
    public void throwFirst() {
        RuntimeException first = first();
        if (first != null) {
            throw first;
        }
    }
}

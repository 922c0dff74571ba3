package dev.duetime.todolist;

import dev.duetime.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Adds, closes and reads the items of a to-do list: the list itself, or its view inside a transaction of the caller's
 * ({@link TodoList#in}). Thread-safe; a view is as thread-safe as its transaction.
 *
 * @param <I> the type of ids
 */
public interface ListItems<I> {

    /**
     * Adds an item that is overdue some time from now, by the database's clock. One that is there already is moved.
     *
     * @param timeoutAfter not negative, at most 3,650,000 days
     * @throws IllegalArgumentException if {@code timeoutAfter} is out of range; or the id is null, or its text empty, longer
     *     than 255 characters or with control characters
     * @throws IllegalStateException if the list was added to no scheduler, here and below
     * @throws StoreException if the database failed; the item may be added or not, repeating the call is safe
     */
    void add(I id, Duration timeoutAfter);

    /**
     * Adds an item that is overdue from an instant on. One that is there already is moved.
     *
     * @param overdueAt years 1 to 9999, rounded up to a whole microsecond; a past one is legal and overdue at once
     * @throws IllegalArgumentException if {@code overdueAt} is out of range, or the id as above
     * @throws StoreException if the database failed; the item may be added or not, repeating the call is safe
     */
    void add(I id, Instant overdueAt);

    /**
     * Adds items, all or none, each overdue from its instant on. Those that are there already are moved.
     *
     * @param items any number; none is legal and does nothing
     * @throws IllegalArgumentException if an instant or an id is out of bounds; then nothing is written
     * @throws StoreException if the database failed; all may be added or none, repeating the call is safe
     */
    void addAll(Map<? extends I, Instant> items);

    /**
     * Closes an item, whatever its time: it is deleted.
     *
     * @return whether it was open
     * @throws IllegalArgumentException if the id is out of bounds
     * @throws StoreException if the database failed; repeating the call is safe
     */
    boolean done(I id);

    /**
     * Closes items, all or none.
     *
     * @return how many of them were open
     * @throws IllegalArgumentException if an id is out of bounds; then nothing is written
     * @throws StoreException if the database failed; repeating the call is safe
     */
    int doneAll(Collection<? extends I> ids);

    /**
     * Returns the items with {@code overdueAt <= now}, the oldest first, those of one time in no order that means anything.
     * Reads page by page as the stream is used, a statement each; needs not be closed. Whoever moves or closes items
     * meanwhile may see them or not.
     *
     * @throws StoreException if the database failed; also thrown by the stream
     */
    Stream<I> overdue(Instant now);
}

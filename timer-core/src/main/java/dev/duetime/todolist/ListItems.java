package dev.duetime.todolist;

import dev.duetime.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The items of a to-do list. It is either the list itself, or its view inside a caller's transaction ({@link
 * TodoList#in}). Thread-safe; a view is as thread-safe as its transaction.
 *
 * @param <I> the type of ids
 */
public interface ListItems<I> {

    /**
     * Adds an item that becomes overdue after a time from now, by the database's clock. If the item exists, it is
     * moved.
     *
     * @param timeoutAfter not negative, at most 3,650,000 days
     * @throws IllegalArgumentException if {@code timeoutAfter} is out of range, the id is null, or its text is empty,
     *     longer than 255 characters or has control characters
     * @throws IllegalStateException if the list was added to no scheduler; the same for all methods below
     * @throws StoreException if the database failed; the item may be added or not, and the call may be repeated
     */
    void add(I id, Duration timeoutAfter);

    /**
     * Adds an item that is overdue from an instant on. If the item exists, it is moved.
     *
     * @param overdueAt years 1 to 9999, rounded up to a whole microsecond; an item with a past instant is overdue at
     *     once
     * @throws IllegalArgumentException if {@code overdueAt} is out of range, or the id as above
     * @throws StoreException if the database failed; the item may be added or not, and the call may be repeated
     */
    void add(I id, Instant overdueAt);

    /**
     * Adds all items or none, each overdue from its instant on. Items that exist are moved.
     *
     * @param items any number; an empty map does nothing
     * @throws IllegalArgumentException if an instant or an id is out of bounds; then nothing is written
     * @throws StoreException if the database failed; all items may be added or none, and the call may be repeated
     */
    void addAll(Map<? extends I, Instant> items);

    /**
     * Closes an item, whatever its time, by deleting it.
     *
     * @return whether the item was open
     * @throws IllegalArgumentException if the id is out of bounds
     * @throws StoreException if the database failed; the call may be repeated
     */
    boolean done(I id);

    /**
     * Closes all items or none.
     *
     * @return how many of them were open
     * @throws IllegalArgumentException if an id is out of bounds; then nothing is written
     * @throws StoreException if the database failed; the call may be repeated
     */
    int doneAll(Collection<? extends I> ids);

    /**
     * Returns the items with {@code overdueAt <= now}, the oldest first. The order of items with the same time is
     * undefined. The stream reads one page at a time, with one statement each, and need not be closed. Items that are
     * moved or closed meanwhile may be returned or not.
     *
     * @throws StoreException if the database failed; the stream throws it as well
     */
    Stream<I> overdue(Instant now);
}

package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The items of to-do lists, in transactions of its own or in a caller's: see {@link TimerWrites#todos}. As thread-safe
 * as the object that returned it. Every method is atomic and throws {@link StoreException} if the store failed.
 */
@Beta
public interface ListStore {

    /** Stores all items or none. An item whose key exists is moved. Of several items of one key, the last counts. */
    void put(List<ListItem> items);

    /**
     * Removes the items with these keys, whatever their times. Absent items are skipped.
     *
     * @return how many were removed
     */
    int remove(List<ListKey> keys);

    /**
     * Removes the items that still have the given times. Moved items stay, and absent items are skipped. In its own
     * transaction, the store waits only briefly for a row that another transaction holds, if it can limit the wait.
     *
     * @return how many were removed
     * @throws CollisionException if another transaction held a row; then nothing is removed
     */
    int removeUnmoved(List<ListItem> items);

    /** Returns the item with this key. */
    Optional<ListItem> find(ListKey key);

    /**
     * Returns items of one list with {@code overdueAt <= now}, the oldest first. Items of one time are ordered by id,
     * in an order that the store chooses. Rows with an invalid key are skipped.
     *
     * @param after the item after which the page begins, whether it still exists or not; null for the first page
     * @param limit how many at most; a shorter page is the last one
     */
    List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit);
}

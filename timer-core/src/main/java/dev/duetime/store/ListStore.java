package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The items of to-do lists, in transactions of its own or in a caller's: see {@link TimerWrites#todos}. As thread-safe
 * as where it comes from. Every method is atomic and throws {@link StoreException} if the store failed.
 */
@Beta
public interface ListStore {

    /** Stores all items or none; one whose key is there already is moved, and of several of one key the last counts. */
    void put(List<ListItem> items);

    /**
     * Removes the items with these keys, whatever their times; an absent one is passed over.
     *
     * @return how many were removed
     */
    int remove(List<ListKey> keys);

    /**
     * Removes the items that still have the given times; one that was moved stays, an absent one is passed over.
     *
     * @return how many were removed
     */
    int removeUnmoved(List<ListItem> items);

    /** Returns the item with this key. */
    Optional<ListItem> find(ListKey key);

    /**
     * Returns items of one list with {@code overdueAt <= now}, the oldest first, those of one time by id in an order of
     * the store's own; a row whose key no item can have is passed over.
     *
     * @param after leaves out this item and all before it, whether it is still there or not; null for none
     * @param limit how many at most; fewer mean that there are no more
     */
    List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit);
}

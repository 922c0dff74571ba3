package dev.duetime.engine.operate;

import dev.duetime.store.DueStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The purges that have nothing to delete: the store names them by one statement, so that idle queues cost none each.
 * Used by one thread.
 */
public final class EmptyPurges {
    private final DueStore store;

    public EmptyPurges(DueStore store) {
        this.store = store;
    }

    /**
     * Makes the purges rest that are due and have nothing to delete.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void rest(List<Purge> purges) {
        List<Purge> maybe = purges.stream().filter(Purge::mayBeEmpty).toList();
        if (maybe.isEmpty()) {
            return;
        }
        Map<String, Instant> before = new HashMap<>();
        maybe.forEach(each -> before.put(each.queue(), each.endedBefore()));
        Set<String> purgeable = store.purgeable(before);
        maybe.stream().filter(each -> !purgeable.contains(each.queue())).forEach(Purge::foundNothing);
    }
}

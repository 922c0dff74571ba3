package dev.duetime.testkit;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A count of the changes of a store, which a clock reads while it holds its lock. Thread-safe. */
@FunctionalInterface
interface StoreChanges {
    /**
     * Returns how often something was written that a loop may notice which reads these queues.
     *
     * @param queues null for all queues
     */
    long count(@Nullable Set<String> queues);
}

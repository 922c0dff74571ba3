package dev.duetime.testkit.memory;

import dev.duetime.StoredTimer;
import dev.duetime.store.Correlated;
import java.util.Collection;
import java.util.Optional;

/**
 * A search for correlated timers in memory, each call in its own transaction. Thread-safe: under the lock of the store.
 */
final class InMemoryCorrelatedStore implements Correlated {
    private final InMemoryScheduleStore store;

    InMemoryCorrelatedStore(InMemoryScheduleStore store) {
        this.store = store;
    }

    @Override
    public void lock(String queue, Collection<String> correlationKeys) {
        // The transaction that would hold the lock ends at once.
    }

    @Override
    public Optional<StoredTimer> waiting(String queue, String tenantId, String correlationKey, String type) {
        return store.alone(writes -> writes.correlated().waiting(queue, tenantId, correlationKey, type));
    }
}

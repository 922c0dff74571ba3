package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoredTimer;
import java.util.Collection;
import java.util.Optional;

/**
 * The timers that a new one may be merged with, in a transaction: see {@link TimerWrites#correlated}. As thread-safe as
 * where it comes from. Every method throws {@link dev.duetime.StoreException} if the store failed.
 */
@Beta
public interface Correlated {

    /**
     * Keeps others that lock one of these correlation keys of the queue waiting until the transaction ends, whether
     * there are timers of it or not. Keys that are locked together are locked in one order. Without a transaction it
     * does nothing.
     */
    void lock(String queue, Collection<String> correlationKeys);

    /**
     * Returns the latest by {@code dueAt}, then by key, of the timers of the queue with this correlation key and type
     * that are scheduled and not {@linkplain DueStore#start started}; it stays as it is until the transaction ends. A
     * row that cannot be read is passed over.
     */
    Optional<StoredTimer> waiting(String queue, String correlationKey, String type);
}

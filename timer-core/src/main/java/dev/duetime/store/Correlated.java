package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoredTimer;
import java.util.Collection;
import java.util.Optional;

/**
 * The timers that a new timer may be merged with, in a transaction: see {@link TimerWrites#correlated}. As thread-safe
 * as the object that returned it. Every method throws {@link dev.duetime.StoreException} if the store failed.
 */
@Beta
public interface Correlated {

    /**
     * Locks these correlation keys of the queue, for all tenants, until the transaction ends, whether timers of them
     * exist or not. Other
     * transactions that lock one of them wait. Several keys are always locked in the same order. Without a transaction
     * it does nothing.
     */
    void lock(String queue, Collection<String> correlationKeys);

    /**
     * Returns the waiting timer of this queue, tenant, correlation key and type. It is scheduled and not {@linkplain
     * DueStore#start started}. If there are several, it is the latest by {@code dueAt}, then by key. It does not
     * change until the transaction ends. Unreadable rows are skipped.
     */
    Optional<StoredTimer> waiting(String queue, String tenantId, String correlationKey, String type);
}

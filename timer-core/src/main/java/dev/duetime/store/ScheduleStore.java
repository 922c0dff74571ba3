package dev.duetime.store;

import dev.duetime.Beta;
import java.util.OptionalInt;

/**
 * A database that keeps timers, for callers, the engine's loops and the owners of shards. Thread-safe.
 *
 * <p>Each part says what its methods promise. The testkit's {@code ScheduleStoreContract} tests each of these
 * sentences.
 */
@Beta
public interface ScheduleStore extends TimerStore, DueStore {

    /** Returns the leases on this store's shards. */
    ShardLeases leases();

    /**
     * Returns how many transactions of {@link #begin} the handlers of a node may hold at the same time, at least 1, so
     * that its loops still find a connection. Empty, the default, means any number. Called once, before the first
     * transaction of a handler.
     */
    default OptionalInt mostTransactions() {
        return OptionalInt.empty();
    }
}

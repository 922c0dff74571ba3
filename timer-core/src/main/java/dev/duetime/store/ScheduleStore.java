package dev.duetime.store;

import dev.duetime.Beta;
import java.util.OptionalInt;

/**
 * A database that keeps timers: what callers, the engine's loops and the owners of shards need of it. Thread-safe.
 *
 * <p>Each part says what its methods promise. The testkit's {@code ScheduleStoreContract} tests each of these
 * sentences.
 */
@Beta
public interface ScheduleStore extends TimerStore, DueStore {

    /** Returns the ownership of this store's shards. */
    ShardLeases leases();

    /**
     * Returns how many transactions of {@link #begin} the handlers of a node may hold at the same time, at least 1, so
     * that its loops still find a connection; empty for any number, as by default. Asked once, when a handler first
     * wants one.
     */
    default OptionalInt mostTransactions() {
        return OptionalInt.empty();
    }
}

package dev.duetime.store;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Keeps timers. Thread-safe. Every method is atomic and, but for {@link #in}, runs in a transaction of its own; when a
 * write returns it is durable. Every method throws {@link StoreException} if the store failed.
 *
 * <p>The testkit's {@code ScheduleStoreContract} tests each sentence here.
 */
public interface ScheduleStore extends TimerWrites, TimerCounts {

    /**
     * Returns a view that joins the caller's transaction: it neither commits, rolls back nor closes it.
     *
     * @throws IllegalArgumentException if the transaction is not of a kind that this store can join
     */
    TimerWrites in(Transaction transaction);

    /**
     * Returns timers that match all given conditions, by tenant and timer in code point order, after {@code query.after()}.
     * A row that cannot be read is shown as {@link StoredTimer#unreadable} says; one in a state that is not known, as dead.
     */
    List<StoredTimer> query(TimerQuery query);

    /** Returns scheduled timers of the given shards with {@code wakeAt <= now}, oldest first. */
    DueTimers due(DueQuery query);

    /** Returns the earliest {@code wakeAt > after} of the scheduled timers in the given shards; any instant is legal. */
    Optional<Instant> nextDue(String queue, Collection<Integer> shards, Instant after);

    /**
     * Writes down outcomes. One whose timer is no longer scheduled with the same generation is passed over.
     *
     * @return how many were written down
     */
    int settle(List<Settlement> settlements);

    /**
     * Deletes reached, expired and cancelled timers with {@code settledAt < before}, never dead ones.
     *
     * @param limit how many at most
     * @return how many
     */
    int purge(String queue, Instant before, int limit);

    /** Returns the ownership of this store's shards. */
    ShardLeases leases();
}

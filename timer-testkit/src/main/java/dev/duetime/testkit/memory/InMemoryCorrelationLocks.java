package dev.duetime.testkit.memory;

import dev.duetime.store.CollisionException;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * The locks of transactions on correlation keys. Where a database would let a thread wait for itself, or two for each
 * other, locking fails. Not thread-safe: its store holds a lock.
 */
final class InMemoryCorrelationLocks {
    private static final int PATIENCE_SECONDS = 10;

    private final Condition freed;
    private final Map<Key, Holder> holders = new HashMap<>();

    private record Key(String queue, String correlationKey) {}

    private record Holder(InMemoryTransaction transaction, Thread thread) {}

    /**
     * Begins without locks.
     *
     * @param freed of the lock of the store
     */
    InMemoryCorrelationLocks(Condition freed) {
        this.freed = freed;
    }

    /**
     * Waits until no other transaction holds any of the keys, and holds them until they are {@linkplain #release
     * released}.
     *
     * @throws CollisionException if this thread holds one in another transaction, or waited too long
     */
    void lock(InMemoryTransaction transaction, String queue, Collection<String> correlationKeys) {
        Holder holder = new Holder(transaction, Thread.currentThread());
        for (String each : new TreeSet<>(correlationKeys)) {
            Key key = new Key(queue, each);
            waitFor(key, holder);
            holders.put(key, holder);
        }
    }

    private void waitFor(Key key, Holder holder) {
        long patience = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (Holder other = holders.get(key);
                other != null && other.transaction != holder.transaction;
                other = holders.get(key)) {
            if (other.thread == holder.thread || patience <= 0) {
                throw collision(key);
            }
            try {
                patience = freed.awaitNanos(patience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw collision(key);
            }
        }
    }

    private static CollisionException collision(Key key) {
        return new CollisionException(
                "lock",
                "correlation key " + key.correlationKey + " of queue " + key.queue,
                new ConcurrentModificationException("another transaction holds it"));
    }

    /** Lets others lock what the transaction has locked. */
    void release(InMemoryTransaction transaction) {
        if (holders.values().removeIf(holder -> holder.transaction == transaction)) {
            freed.signalAll();
        }
    }
}

package dev.duetime.internal;

import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The order in which calls that met a lock try again. Of the calls for one key, only the first one tries, until it
 * ends. Of the others, a few try at the same time. Those that have tried less come first, but nobody waits for ever:
 * each try counts like a late arrival. So a crowd at one held row is a single call to all others, and a call that met
 * a short lock does not wait behind those that have tried for seconds. Thread-safe.
 */
public final class RetryTurns {
    /** By how much each try moves a call back. */
    private static final long PRICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<Object, KeyQueue> keys = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final LongSupplier nanoTime;

    // Mutable state, guarded by lock.
    private final PriorityQueue<Call> waiting = new PriorityQueue<>((a, b) -> Long.signum(a.rank - b.rank));
    private int free;

    /**
     * Creates the order.
     *
     * @param atOnce how many calls try at the same time; each holds a connection
     * @param nanoTime returns a count of nanoseconds that never goes back
     */
    public RetryTurns(int atOnce, LongSupplier nanoTime) {
        free = atOnce;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns a call that may meet a lock. It must be closed.
     *
     * @param subject what the call writes; a text is no key, but may describe different rows
     */
    public Call call(Object subject) {
        return new Call(subject instanceof String ? null : subject);
    }

    /** The calls for one key, and how many there are. */
    private static final class KeyQueue {
        final Semaphore first = new Semaphore(1, true);
        int calls;
    }

    /** A call that may meet a lock. Confined to its thread, but for what the lock guards. */
    public final class Call implements AutoCloseable {
        private final @Nullable Object key;
        private final Condition granted = lock.newCondition();
        private @Nullable KeyQueue queue;
        private boolean isFirst;
        private int tries;

        // Mutable state, guarded by lock.
        private long rank;
        private boolean hasTurn;

        private Call(@Nullable Object key) {
            this.key = key;
            isFirst = key == null;
        }

        /** Waits until the call, which met a lock, may try again. Returns false if the time is over before. */
        public boolean await(long nanos) throws InterruptedException {
            long until = nanoTime.getAsLong() + nanos;
            if (!isFirst && key != null) {
                KeyQueue joined = queue;
                if (joined == null) {
                    joined = keys.compute(key, (same, known) -> joined(known));
                    queue = joined;
                }
                isFirst = joined.first.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            }
            return isFirst && awaitTurn(until - nanoTime.getAsLong());
        }

        private boolean awaitTurn(long nanos) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                rank = nanoTime.getAsLong() + tries++ * PRICE_NANOS;
                waiting.add(this);
                grant();
                long left = nanos;
                while (!hasTurn && left > 0) {
                    left = granted.awaitNanos(left);
                }
                return hasTurn;
            } finally {
                waiting.remove(this);
                lock.unlock();
            }
        }

        /** Gives the turn back, if the call has it. */
        public void endTry() {
            if (tries == 0) {
                return;
            }
            lock.lock();
            try {
                if (hasTurn) {
                    hasTurn = false;
                    free++;
                    grant();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            endTry();
            KeyQueue joined = queue;
            if (key != null && joined != null) {
                if (isFirst) {
                    joined.first.release();
                }
                keys.computeIfPresent(key, (same, known) -> --known.calls == 0 ? null : known);
            }
        }
    }

    private static KeyQueue joined(@Nullable KeyQueue known) {
        KeyQueue queue = known == null ? new KeyQueue() : known;
        queue.calls++;
        return queue;
    }

    private void grant() {
        while (free > 0 && !waiting.isEmpty()) {
            Call next = waiting.remove();
            free--;
            next.hasTurn = true;
            next.granted.signal();
        }
    }
}

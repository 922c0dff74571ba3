package dev.duetime.engine.schedule;

import dev.duetime.store.CollisionException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The turns of calls that merge timers of the same correlation key. The database lets only one of them at a time
 * through. The others would wait there, each with a connection, and nobody else would get one. So they wait here.
 * Thread-safe.
 */
final class MergeTurns {
    private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

    private final Map<String, KeyTurn> keys = new ConcurrentHashMap<>();

    /** The turn of a key, and how many calls use it or wait for it. */
    private static final class KeyTurn {
        final ReentrantLock lock = new ReentrantLock(true);
        int calls;

        /** Takes the turn. An interrupted thread takes one that is free, too. */
        boolean take() throws InterruptedException {
            boolean isFree = !lock.hasQueuedThreads() && lock.tryLock();
            return isFree || lock.tryLock(LONGEST_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** The turn of a call. The thread that has taken it ends it. */
    final class Turn implements AutoCloseable {
        private final String key;
        private final KeyTurn turn;

        private Turn(String key, KeyTurn turn) {
            this.key = key;
            this.turn = turn;
        }

        @Override
        public void close() {
            turn.lock.unlock();
            leave(key);
        }
    }

    /**
     * Waits for the turn of a call that merges into one key. A call with several keys must have none: it would keep
     * others from all of them while it waits for one.
     *
     * @param subject returns the key or the number of the timers of the call
     * @throws CollisionException after 10 s, or if the thread is interrupted and must wait
     */
    Turn await(String key, Supplier<Object> subject) {
        KeyTurn turn = keys.compute(key, (same, known) -> used(known));
        boolean mine = false;
        try {
            Turn taken = new Turn(key, turn);
            mine = turn.take();
            if (!mine) {
                throw collision(subject, new TimeoutException("other calls merge into the same correlation key"));
            }
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw collision(subject, e);
        } finally {
            if (!mine) {
                leave(key);
            }
        }
    }

    private static CollisionException collision(Supplier<Object> subject, Exception cause) {
        return new CollisionException("merge", subject.get(), cause);
    }

    private static KeyTurn used(@Nullable KeyTurn known) {
        KeyTurn turn = known == null ? new KeyTurn() : known;
        turn.calls++;
        return turn;
    }

    private void leave(String key) {
        keys.computeIfPresent(key, (same, turn) -> --turn.calls == 0 ? null : turn);
    }
}

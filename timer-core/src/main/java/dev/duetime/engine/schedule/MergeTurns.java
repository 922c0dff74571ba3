package dev.duetime.engine.schedule;

import dev.duetime.store.CollisionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The turns of calls that merge timers of the same correlation key. The database lets only one of them at a time through.
 * The others would wait there, each with a connection, and nobody else would get one. So they wait here. Thread-safe.
 */
final class MergeTurns {
    private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

    private final Map<String, KeyTurn> keys = new ConcurrentHashMap<>();

    /** The turn of a key, and how many calls use it or wait for it. */
    private static final class KeyTurn {
        final ReentrantLock lock = new ReentrantLock(true);
        int calls;
    }

    /** The turns of one call. Confined to its thread. */
    final class Turn implements AutoCloseable {
        private final Deque<String> held = new ArrayDeque<>();

        private void await(SortedSet<String> wanted) {
            long until = System.nanoTime() + LONGEST_NANOS;
            for (String key : wanted) {
                KeyTurn turn = keys.compute(key, (same, known) -> used(known));
                boolean mine = false;
                try {
                    mine = turn.lock.tryLock(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (!mine) {
                        throw collision(new TimeoutException("other calls merge into the same correlation key"));
                    }
                    held.push(key);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw collision(e);
                } finally {
                    if (!mine) {
                        leave(key);
                    }
                }
            }
        }

        @Override
        public void close() {
            while (!held.isEmpty()) {
                String key = held.pop();
                Objects.requireNonNull(keys.get(key)).lock.unlock();
                leave(key);
            }
        }
    }

    /**
     * Waits for the turns of a call, in the order of its keys, so that two calls never wait for each other.
     *
     * @throws CollisionException after 10 s, or if the thread is interrupted
     */
    Turn await(SortedSet<String> wanted) {
        Turn turn = new Turn();
        boolean complete = false;
        try {
            turn.await(wanted);
            complete = true;
            return turn;
        } finally {
            if (!complete) {
                turn.close();
            }
        }
    }

    private static CollisionException collision(Exception cause) {
        return new CollisionException("merge", "timers", cause);
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

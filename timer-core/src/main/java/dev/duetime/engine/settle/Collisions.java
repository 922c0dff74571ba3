package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The number of collisions in a row, by todo. A run collides if another transaction gets in the way of its outcome. A
 * few collisions are normal, but a handler that always collides must not run for ever. Thread-safe.
 */
public final class Collisions {
    /** The number of collisions in a row that counts as one failed attempt. */
    private static final int ATTEMPT = 10;

    /** Bounds memory; beyond it, the todo that collided longest ago is forgotten. */
    private static final int MOST_REMEMBERED = 10_000;

    private record Count(long generation, int runs) {}

    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Map<TimerKey, Count> counts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TimerKey, Count> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** Counts a collision. Returns whether it makes the run a failed attempt. */
    public boolean isAttempt(StoredTimer todo) {
        lock.lock();
        try {
            Count before = counts.remove(todo.key());
            int runs = before == null || before.generation != todo.generation() ? 1 : before.runs + 1;
            if (runs >= ATTEMPT) {
                return true;
            }
            counts.put(todo.key(), new Count(todo.generation(), runs));
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often in a row runs of a todo have collided. */
    public int inARow(StoredTimer todo) {
        lock.lock();
        try {
            Count count = counts.get(todo.key());
            return count == null || count.generation != todo.generation() ? 0 : count.runs;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the count of a todo whose outcome is written. */
    public void over(StoredTimer todo) {
        lock.lock();
        try {
            if (!counts.isEmpty()) {
                counts.remove(todo.key());
            }
        } finally {
            lock.unlock();
        }
    }
}

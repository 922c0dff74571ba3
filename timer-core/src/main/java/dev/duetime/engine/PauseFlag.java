package dev.duetime.engine;

import dev.duetime.QueuePause;
import dev.duetime.store.NextDue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Knows whether a queue is paused, as its loop read with what it reads anyway, or as was told on this node. Thread-safe. */
final class PauseFlag {
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, written under lock.
    private volatile @Nullable QueuePause pause;
    private long changes;

    /** Reads, and notes what was read. */
    NextDue read(Supplier<NextDue> store) {
        long before = changes();
        NextDue read = store.get();
        lock.lock();
        try {
            // What was read before a change on this node, and comes after it, must not undo it.
            if (changes == before) {
                pause = read.pause();
            }
        } finally {
            lock.unlock();
        }
        return read;
    }

    /** Notes what was done on this node, once the store has it. */
    void told(@Nullable QueuePause now) {
        lock.lock();
        try {
            pause = now;
            changes++;
        } finally {
            lock.unlock();
        }
    }

    private long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    QueuePause pause() {
        return pause;
    }
}

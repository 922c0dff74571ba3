package dev.duetime.engine.settle;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.Occurrence.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of occurrences that are not written yet. If the store is unavailable for long, the oldest are dropped.
 * Thread-safe.
 */
public final class OccurrenceLog {
    private static final int MOST = 1_000;
    private static final int ERROR_LENGTH = 1_000;

    private final Clock clock;
    private final boolean isKept;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock; the field is set before the start.
    private final Deque<Occurrence> waiting = new ArrayDeque<>();
    private volatile Runnable wake = () -> {};

    /**
     * Creates an empty log.
     *
     * @param isKept whether a history is kept; else this does nothing
     */
    public OccurrenceLog(Clock clock, boolean isKept) {
        this.clock = clock;
        this.isKept = isKept;
    }

    /** Sets the action that is run when the first outcome waits to be written. */
    public void onFirst(Runnable work) {
        wake = work;
    }

    /** Notes an outcome, if the timer recurs. */
    void add(StoredTimer timer, Outcome outcome, int attempts, @Nullable Failure failure) {
        if (!isKept || timer.content().recurrence() == null) {
            return;
        }
        String error = failure == null ? null : cut(failure.error());
        Occurrence occurrence = new Occurrence(timer.key(), timer.dueAt(), outcome, clock.now(), attempts, error);
        boolean first;
        lock.lock();
        try {
            first = waiting.isEmpty();
            if (waiting.size() == MOST) {
                waiting.removeFirst();
            }
            waiting.addLast(occurrence);
        } finally {
            lock.unlock();
        }
        if (first) {
            wake.run();
        }
    }

    private static String cut(String error) {
        return error.codePointCount(0, error.length()) <= ERROR_LENGTH
                ? error
                : error.substring(0, error.offsetByCodePoints(0, ERROR_LENGTH));
    }

    /** Returns what waits, the oldest first. */
    public List<Occurrence> waiting() {
        lock.lock();
        try {
            return List.copyOf(waiting);
        } finally {
            lock.unlock();
        }
    }

    /** Removes what was written. */
    public void written(List<Occurrence> occurrences) {
        lock.lock();
        try {
            waiting.removeAll(occurrences);
        } finally {
            lock.unlock();
        }
    }
}

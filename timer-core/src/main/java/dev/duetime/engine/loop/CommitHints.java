package dev.duetime.engine.loop;

import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The timers that were scheduled inside a caller's transaction. The loop does not see its commit. So from the due time
 * on, it asks the store for such a timer after 2, 4, 8 … ms. Once these waits reach the poll interval, polling takes
 * over. Thread-safe.
 */
final class CommitHints {
    private static final Duration FIRST = Duration.ofMillis(2);
    /**
     * Beyond this number the poll interval must do: a program with so many open transactions polls all the time anyway.
     */
    private static final int MOST = 1_000;

    private final Duration pollInterval;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final PriorityQueue<Hint> hints = new PriorityQueue<>(Comparator.comparing(Hint::askAt));

    CommitHints(Duration pollInterval) {
        this.pollInterval = pollInterval;
    }

    /** Remembers a timer. Returns when the loop must ask first; {@link Instant#MAX} if polling is enough. */
    Instant add(Instant dueAt, Instant now) {
        if (dueAt.isAfter(now.plus(pollInterval))) {
            return Instant.MAX;
        }
        Instant askAt = Times.later(dueAt, now.plus(FIRST));
        lock.lock();
        try {
            if (hints.size() < MOST) {
                hints.add(new Hint(askAt, FIRST, dueAt));
            }
            return askAt;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the timers for which the loop must ask at {@code now}. Returns the earliest due time of them, if there are
     * some, and {@link Instant#MIN} if that of another one is not known.
     */
    List<Instant> take(Instant now) {
        SortedSet<Instant> dueAt = new TreeSet<>();
        lock.lock();
        try {
            Hint head = hints.peek();
            while (head != null && !head.askAt.isAfter(now)) {
                dueAt.add(head.dueAt);
                Duration wait = head.waited.plus(head.waited);
                // Before the hint is removed: there may be no memory for another one.
                Hint again = wait.compareTo(pollInterval) < 0 ? new Hint(now.plus(wait), wait, head.dueAt) : null;
                hints.remove();
                if (again != null) {
                    hints.add(again);
                }
                head = hints.peek();
            }
            return dueAt.stream()
                    .limit(!dueAt.isEmpty() && dueAt.first().equals(Instant.MIN) ? 2 : 1)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when to ask next; {@link Instant#MAX} if polling is enough. */
    Instant next() {
        lock.lock();
        try {
            Hint head = hints.peek();
            return head == null ? Instant.MAX : head.askAt;
        } finally {
            lock.unlock();
        }
    }

    private record Hint(Instant askAt, Duration waited, Instant dueAt) {}
}

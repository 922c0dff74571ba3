package dev.duetime.engine.operate;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.Occurrence;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.schedule.RowsApart;
import dev.duetime.engine.settle.OccurrenceLog;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of the history of recurring timers. It writes at most once a second, and deletes old rows at most once a
 * minute. It does nothing while no timer recurs. Used by one thread, except {@link #finish}.
 */
public final class HistoryWriter {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryWriter.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
    private static final Duration FORGETS_EVERY = Duration.ofMinutes(1);
    /** How many rows are deleted in a transaction, and how often at once: more than are written in a second. */
    private static final int FORGOTTEN = 1_000;

    private static final int FORGETS_AT_ONCE = 5;

    private final ScheduleStore store;
    private final Clock clock;
    private final OccurrenceLog log;
    private final @Nullable Duration retention;
    private final ReentrantLock writing = new ReentrantLock();

    // Mutable state, guarded by the lock.
    private long nextNanos;
    private long forgetNanos;

    /**
     * Creates the writer of a node.
     *
     * @param retention how long the history is kept; null for no history
     */
    public HistoryWriter(ScheduleStore store, Clock clock, OccurrenceLog log, @Nullable Duration retention) {
        this.store = store;
        this.clock = clock;
        this.log = log;
        this.retention = retention;
        nextNanos = clock.nanoTime();
        forgetNanos = nextNanos;
    }

    /** Returns whether something waits to be written. */
    boolean isWaiting() {
        return !log.waiting().isEmpty();
    }

    /** Writes, if it is time to. Returns when to call again. */
    Instant run() {
        if (retention == null || !isWaiting()) {
            return Instant.MAX;
        }
        writing.lock();
        try {
            long now = clock.nanoTime();
            if (now - nextNanos >= 0) {
                nextNanos = now + AFTER_FAILURE.toNanos(); // Whatever the write throws.
                if (write(retention)) {
                    nextNanos = now + EVERY.toNanos();
                }
            }
        } finally {
            writing.unlock();
        }
        return isWaiting() ? clock.now().plusNanos(Math.max(0, nextNanos - clock.nanoTime())) : Instant.MAX;
    }

    private boolean write(Duration kept) {
        List<Occurrence> waiting = log.waiting();
        try {
            RowsApart<Occurrence> rows = new RowsApart<>(some -> {
                store.admin().putOccurrences(some);
                return some.size();
            });
            rows.write(waiting);
            List<Occurrence> over = new ArrayList<>(waiting);
            over.removeAll(rows.held());
            log.written(over);
            logRefused(rows);
            RuntimeException held = rows.firstHeld();
            if (held != null) {
                throw held;
            }
            if (clock.nanoTime() - forgetNanos >= 0) {
                forgetNanos = clock.nanoTime() + (forget(kept) ? FORGETS_EVERY : EVERY).toNanos();
            }
            return true;
        } catch (StoreException e) {
            LOG.debug("the history of recurring timers could not be written; retrying: {}", ErrorText.of(e));
            return false;
        }
    }

    /**
     * An outcome that the database refuses is dropped: it would be refused again, and the history is only for people.
     */
    private static void logRefused(RowsApart<Occurrence> rows) {
        List<Occurrence> refused = new ArrayList<>(rows.refused());
        refused.removeAll(rows.held());
        if (!refused.isEmpty()) {
            LOG.warn(
                    "the database refuses {} entries of the history of recurring timers, such as one of {}: {}",
                    refused.size(),
                    refused.get(0).key(),
                    ErrorText.of(Objects.requireNonNull(rows.firstRefused())));
        }
    }

    /** Deletes some of what is too old. Returns whether nothing of it is left. */
    private boolean forget(Duration kept) {
        for (int i = 0; i < FORGETS_AT_ONCE; i++) {
            if (store.admin().forgetOccurrences(clock.now().minus(kept), FORGOTTEN) < FORGOTTEN) {
                return true;
            }
        }
        return false;
    }

    /** Writes what waits, when the node closes. Does nothing if the last turn still writes, because the store hangs. */
    public void finish() {
        if (retention != null && isWaiting() && writing.tryLock()) {
            try {
                write(retention);
            } finally {
                writing.unlock();
            }
        }
    }
}

package dev.duetime.engine.operate;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.Occurrence;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.settle.OccurrenceLog;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What writes the history of recurring timers, at most once a second, and deletes what is too old, at most once a
 * minute. It does nothing while nothing occurs. Used by one thread at a time.
 */
public final class HistoryWriter {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryWriter.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
    private static final Duration FORGETS_EVERY = Duration.ofMinutes(1);

    private final ScheduleStore store;
    private final Clock clock;
    private final OccurrenceLog log;
    private final @Nullable Duration retention;

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
        long now = clock.nanoTime();
        if (now - nextNanos >= 0) {
            nextNanos = now + (write(retention) ? EVERY : AFTER_FAILURE).toNanos();
        }
        return isWaiting() ? clock.now().plusNanos(Math.max(0, nextNanos - clock.nanoTime())) : Instant.MAX;
    }

    private boolean write(Duration kept) {
        List<Occurrence> waiting = log.waiting();
        try {
            store.admin().putOccurrences(waiting);
            log.written(waiting);
            if (clock.nanoTime() - forgetNanos >= 0) {
                forgetNanos = clock.nanoTime() + FORGETS_EVERY.toNanos();
                store.admin().forgetOccurrences(clock.now().minus(kept));
            }
            return true;
        } catch (StoreException e) {
            LOG.debug("the history of recurring timers could not be written; retrying: {}", ErrorText.of(e));
            return false;
        }
    }

    /** Writes what waits, when the node closes. */
    public void finish() {
        if (retention != null && isWaiting()) {
            write(retention);
        }
    }
}

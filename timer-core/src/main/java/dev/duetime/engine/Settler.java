package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes outcomes down, and keeps what the store did not take: a delivered envelope is settled later, not published again.
 * Used by the loop's thread, but for {@link #close}.
 */
final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

    private final ScheduleStore store;
    private final InFlight inFlight;
    private final String queue;
    private final Listeners listeners;
    private final Beside beside;
    private final List<Settlement> open = new ArrayList<>();

    Settler(ScheduleStore store, InFlight inFlight, String queue, Listeners listeners, Clock clock) {
        this.store = store;
        this.inFlight = inFlight;
        this.queue = queue;
        this.listeners = listeners;
        beside = new Beside(clock, "duetime-" + queue + "-settler");
    }

    /** Adds an outcome to be written down by the next {@link #flush}. */
    void add(Settlement outcome) {
        open.add(outcome);
    }

    /** Returns whether all outcomes are written down. */
    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Begins to write down what is open, beside the caller; {@link #flush} must come before the next outcome. */
    void begin() {
        List<Settlement> outcomes = List.copyOf(open);
        beside.begin(() -> {
            LogContext context = LogContext.of(queue);
            try {
                return store.settle(outcomes);
            } finally {
                context.close();
            }
        });
    }

    /** Returns whether outcomes are being written down that {@link #flush} was not called for. */
    boolean isUnderWay() {
        return beside.isUnderWay();
    }

    /**
     * Writes down what is open, after what is being written down: if that failed, again. On a failure all of it stays open.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void flush() {
        if (beside.isUnderWay()) {
            try {
                settled(beside.await());
            } catch (StoreException e) {
                if (beside.isUnderWay()) {
                    throw e;
                }
                LOG.debug("outcomes of queue {} are written down again: {}", queue, ErrorText.of(e));
            }
        }
        if (!open.isEmpty()) {
            settled(store.settle(List.copyOf(open)));
        }
    }

    private void settled(int settled) {
        int overtaken = open.size() - settled;
        inFlight.settled(open);
        open.clear();
        if (overtaken > 0) {
            listeners.overtaken(queue, overtaken);
        }
    }

    /**
     * Writes nothing down beside the caller any more; waits for what is, at most for the given time. By any thread.
     *
     * @return whether nothing is
     */
    boolean close(Duration limit) {
        return beside.close(limit);
    }
}

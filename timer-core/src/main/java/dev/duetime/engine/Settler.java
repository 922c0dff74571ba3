package dev.duetime.engine;

import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes outcomes down, and keeps what the store did not take: a delivered envelope is settled later, not published again.
 * Used by one thread.
 */
final class Settler {
    private final ScheduleStore store;
    private final InFlight inFlight;
    private final String queue;
    private final Listeners listeners;
    private final List<Settlement> open = new ArrayList<>();

    Settler(ScheduleStore store, InFlight inFlight, String queue, Listeners listeners) {
        this.store = store;
        this.inFlight = inFlight;
        this.queue = queue;
        this.listeners = listeners;
    }

    /** Adds an outcome to be written down by the next {@link #flush}. */
    void add(Settlement outcome) {
        open.add(outcome);
    }

    /** Returns whether all outcomes are written down. */
    boolean isEmpty() {
        return open.isEmpty();
    }

    /**
     * Writes down what is open; on a failure all of it stays open.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void flush() {
        if (open.isEmpty()) {
            return;
        }
        int settled = store.settle(List.copyOf(open));
        int overtaken = open.size() - settled;
        inFlight.settled(open);
        open.clear();
        if (overtaken > 0) {
            listeners.overtaken(queue, overtaken);
        }
    }
}

package dev.duetime;

import java.time.Instant;

/**
 * A pattern that lives on a scheduler, in queues of its own: added by {@link SchedulerBuilder#extension}. Must be
 * thread-safe; one may be added to several schedulers.
 */
public interface SchedulerExtension {

    /** Returns its name, which no other extension of the scheduler has; for messages. */
    String name();

    /**
     * Sets up what it needs: its queues with their publishers, retries of its types. Called once for each scheduler,
     * when it is added.
     *
     * @throws IllegalArgumentException if the scheduler cannot have it
     */
    void configure(SchedulerBuilder builder);

    /**
     * Gets the scheduler that it was added to, once that is built and before it is started. Does nothing by default.
     */
    default void attach(Scheduler scheduler) {}

    /** Returns whether {@link #maintain} is to be called; true by default. */
    default boolean needsMaintenance() {
        return true;
    }

    /**
     * Corrects what the extension keeps in the store. Called when the scheduler is started, and then once a minute, by
     * the thread that also deletes old timers. An exception is logged once until a call succeeds, and the method is
     * called again. An exception of the store is reported as an outage, unless it may be that of
     * a single row, which the database refused or another transaction held.
     *
     * @return until when another call would find nothing to do, unless something is written to the store. A clock of
     *     tests skips the calls before. {@link Instant#MIN}, the default, if that is unknown
     * @throws StoreException if the database failed
     */
    default Instant maintain(Scheduler scheduler) {
        return Instant.MIN;
    }
}

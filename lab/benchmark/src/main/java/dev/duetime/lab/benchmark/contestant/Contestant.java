package dev.duetime.lab.benchmark.contestant;

import java.sql.SQLException;
import java.util.List;

/** One node of a library that is measured, on one database. Opening it creates its tables if they do not exist. */
public interface Contestant extends AutoCloseable {

    /** Schedules timers by one call, all in one transaction where it can; durable when it returns. Thread-safe. */
    void schedule(List<Entry> timers) throws Exception;

    /** Begins to deliver what is due. */
    void start() throws Exception;

    /** Returns whether it is ready: with several nodes, once they have shared the work out. */
    default boolean isReady(int nodes) throws SQLException {
        return true;
    }

    /** Returns whether the outcome of all that was delivered is written down. */
    boolean isSettled() throws SQLException;

    /** Returns how its table is filled with timers for later, by copying one that was scheduled. */
    PendingTimers pending();

    /** Looks up when the next timer is due, as its loop does; returns whether it has such a look-up. */
    default boolean lookUpNextDue() throws SQLException {
        return false;
    }

    @Override
    void close();
}

package dev.duetime.lab.benchmark.contestant;

import java.sql.SQLException;
import java.util.List;

/** One node of a library that is measured, on one database. Opening it creates its tables if they do not exist. */
public interface Contestant extends AutoCloseable {

    /**
     * Schedules timers with one call, in one transaction if possible. They are durable when it returns. Thread-safe.
     */
    void schedule(List<Entry> timers) throws Exception;

    /** Begins to deliver due timers. */
    void start() throws Exception;

    /** Returns whether it is ready. With several nodes, this is when they have shared the work out. */
    default boolean isReady(int nodes) throws SQLException {
        return true;
    }

    /** Returns whether the outcomes of all deliveries are written. */
    boolean isSettled() throws SQLException;

    /** Returns how its table is filled with timers for later, by copies of one scheduled timer. */
    PendingTimers pending();

    /**
     * Reads when the next timer is due, as the loop of the library does. Returns whether the library has such a read.
     */
    default boolean lookUpNextDue() throws SQLException {
        return false;
    }

    @Override
    void close();
}

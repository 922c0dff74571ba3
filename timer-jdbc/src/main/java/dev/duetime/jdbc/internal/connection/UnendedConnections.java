package dev.duetime.jdbc.internal.connection;

import java.sql.Connection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The broken connections of a store that could not be ended yet, for example because the heap is full. Each user of the
 * store, and each renewal of leases, tries again. Thread-safe.
 *
 * <p>It needs no memory of its own: the connections are linked to each other. A connection stays in the list until it
 * has ended, so that no error can lose it. The monitor guards the links and never waits for a driver. A lock of {@code
 * java.util.concurrent} would take memory for each thread that waits.
 */
public final class UnendedConnections {
    private final Consumer<Connection> evict;
    private volatile @Nullable LentConnection first;

    /**
     * Creates the list.
     *
     * @param evict makes the pool close a connection and forget it
     */
    UnendedConnections(Consumer<Connection> evict) {
        this.evict = evict;
    }

    void evict(Connection connection) {
        evict.accept(connection);
    }

    /** Adds a connection. Repeats are not allowed. */
    synchronized void add(LentConnection connection) {
        connection.next = first;
        first = connection;
    }

    /** Ends the connections that can be ended now. Never throws. */
    public void end() {
        if (first == null) {
            return;
        }
        // An embedded database would close its file if it saw the flag.
        boolean interrupted = Thread.interrupted();
        try {
            for (LentConnection each = first; each != null; each = each.next) {
                each.end();
            }
            forgetEnded();
        } catch (Error e) {
            // The stack is full. The connections stay in the list.
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void forgetEnded() {
        LentConnection last = null;
        for (LentConnection each = first; each != null; each = each.next) {
            if (!each.isEnded()) {
                last = each;
            } else if (last == null) {
                first = each.next;
            } else {
                last.next = each.next;
            }
        }
    }
}

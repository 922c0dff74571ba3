package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.tx.BrokenConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that the pool has lent to the store. Its user gives it back in any case. If an {@link Error} was thrown
 * on it, it is broken: then it is aborted, rolled back and closed. If one of these fails, it becomes one of the {@link
 * UnendedConnections}, which are tried again.
 *
 * <p>Used by one thread at a time. Only {@link #end} and what it reads are thread-safe.
 */
public final class LentConnection {
    /** How many rollbacks must fail before a connection that no abort has closed is closed below the pool. */
    private static final int ROLLBACKS = 3;

    private final UnendedConnections unended;

    /** Null until the pool has lent it: this object is made before, because after that there may be no memory. */
    private @Nullable Connection connection;

    private boolean autoCommit = true;

    // Mutable state, guarded by the unended connections.
    volatile @Nullable LentConnection next;

    // Mutable state of the user.
    private boolean broken;
    private boolean aborted;
    private boolean added;

    // Mutable state of the thread that ends it; the monitor guards that there is only one.
    private volatile boolean ending;
    private volatile boolean ended;

    LentConnection(UnendedConnections unended) {
        this.unended = unended;
    }

    /** Takes what the pool has lent. */
    void take(Connection lent) throws SQLException {
        connection = lent;
        try {
            autoCommit = lent.getAutoCommit();
        } catch (Throwable e) {
            giveBackAfter(e);
            throw e;
        }
    }

    /** Returns the connection. */
    public Connection connection() {
        return Objects.requireNonNull(connection);
    }

    /** Returns whether the connection was in auto-commit mode when the pool lent it. */
    public boolean autoCommit() {
        return autoCommit;
    }

    /** Returns whether an error was thrown on it. Then nothing may be committed. */
    public boolean isBroken() {
        return broken;
    }

    /**
     * Returns whether its settings may be restored: it is not broken, or it was aborted. After an abort, only
     * connections of embedded databases are still open.
     */
    public boolean mayRestore() {
        return !broken || aborted;
    }

    /** Aborts it if an error was thrown on it. To be called before any other use. Never throws. */
    public void abortAfter(Throwable thrown) {
        if (!broken && BrokenConnections.breaks(thrown)) {
            broken = true;
            aborted = BrokenConnections.abortAfter(thrown, connection());
        }
    }

    /** Gives it back to the pool after a failure, which the caller throws. Never throws. */
    public void giveBackAfter(Throwable thrown) {
        abortAfter(thrown);
        try {
            giveBack();
        } catch (SQLException | RuntimeException | Error e) {
            BrokenConnections.suppress(thrown, e);
        }
    }

    /**
     * Gives it back to the pool. A repeat does nothing.
     *
     * @throws SQLException if it could not be closed; it will be tried again
     */
    public void giveBack() throws SQLException {
        if (broken) {
            giveBackBroken();
            return;
        }
        if (ended) {
            return;
        }
        boolean done = false;
        try {
            connection().close();
            done = true;
            ended = true;
        } finally {
            if (!done) {
                giveBackBroken();
            }
        }
    }

    /** Gives it back as a broken one: it may have a transaction that could not be rolled back. Never throws. */
    public void giveBackBroken() {
        broken = true;
        if (!added && !ended) {
            // First of all: after this, an error cannot lose it.
            added = true;
            unended.add(this);
        }
        unended.end();
    }

    boolean isEnded() {
        return ended;
    }

    /** Tries to end it, unless another thread does. Never throws. */
    void end() {
        synchronized (this) {
            if (ending || ended) {
                return;
            }
            ending = true;
        }
        try {
            endTransaction(connection());
            connection().close();
            ended = true;
        } catch (SQLException | RuntimeException | Error e) {
            // It stays unended, and is tried again. There may be no memory to log anything.
        } finally {
            ending = false;
        }
    }

    private void endTransaction(Connection open) throws SQLException {
        Connection driver = BrokenConnections.driver(open);
        boolean isAborted = abort(open);
        // Pools do not notice an abort. They notice a call that fails since the connection is closed.
        boolean rolledBack = isAborted && rollback(open);
        if (open.isClosed()) {
            return;
        }
        if (rolledBack) {
            if (open.getAutoCommit() != autoCommit) {
                open.setAutoCommit(autoCommit);
            }
        } else if (!isAborted || driver.isClosed() || !isAutoCommit(open)) {
            // Before it is closed: for some pools, the driver's connection is the pool's.
            unended.evict(open);
            driver.close();
        }
    }

    private static boolean isAutoCommit(Connection open) {
        try {
            return open.getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Returns false if the driver cannot abort. Then its next answer may be that to an earlier statement. */
    private static boolean abort(Connection open) {
        try {
            BrokenConnections.abort(open);
            return true;
        } catch (SQLException | RuntimeException | LinkageError e) {
            return false;
        }
    }

    private static boolean rollback(Connection open) {
        for (int i = 0; i < ROLLBACKS; i++) {
            try {
                open.rollback();
                return true;
            } catch (SQLException | RuntimeException e) {
                // Expected: it was aborted.
            }
        }
        return false;
    }
}

package dev.duetime.jdbc;

import dev.duetime.StoreException;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.connection.JoinedTransaction;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.port.JdbcTimerWrites;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.tx.BrokenConnections;
import dev.duetime.jdbc.internal.tx.InterruptFlag;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction that the store has begun. It holds a connection of the pool until it is closed. Not thread-safe. */
final class JdbcOwnTransaction implements OwnTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcOwnTransaction.class);

    /** How long a connection may take to show that it is alive. */
    private static final int ANSWER_SECONDS = 2;

    private final Connection connection;
    private final boolean autoCommit;
    private final Dialect dialect;
    private final JdbcTransaction transaction;
    private final Jdbi statements;
    private final JoinedTransaction joined;
    private final TimerWrites writes;

    // Mutable state of the using thread.
    private LockWaits.@Nullable Restore waits;
    private boolean ended;
    private boolean closed;

    private JdbcOwnTransaction(
            Connection connection,
            boolean autoCommit,
            Dialect dialect,
            TodoRows todoRows,
            Function<ConnectionFactory, Jdbi> jdbi)
            throws SQLException {
        this.connection = connection;
        this.autoCommit = autoCommit;
        this.dialect = dialect;
        transaction = JdbcTransaction.of(connection, this::checkOpen);
        statements = jdbi.apply(transaction.connections());
        joined = new JoinedTransaction(statements, dialect, false);
        writes = new JdbcTimerWrites(joined, dialect, todoRows);
        if (autoCommit) {
            connection.setAutoCommit(false);
        }
        try (Handle handle = statements.open()) {
            dialect.begin(handle, false);
        }
    }

    /**
     * Begins a transaction.
     *
     * @param todoRows reads the items of to-do lists
     * @param jdbi creates the Jdbi of a connection
     * @throws StoreException if the database failed
     */
    static JdbcOwnTransaction begin(
            DataSource dataSource, Dialect dialect, TodoRows todoRows, Function<ConnectionFactory, Jdbi> jdbi) {
        try {
            return InterruptFlag.cleared(() -> beginNow(dataSource, dialect, todoRows, jdbi));
        } catch (SQLException | JdbiException e) {
            throw Failures.of(dialect, "begin", "transaction", e);
        }
    }

    private static JdbcOwnTransaction beginNow(
            DataSource dataSource, Dialect dialect, TodoRows todoRows, Function<ConnectionFactory, Jdbi> jdbi)
            throws SQLException {
        Connection connection = dataSource.getConnection();
        boolean autoCommit = true;
        try {
            autoCommit = connection.getAutoCommit();
            return new JdbcOwnTransaction(connection, autoCommit, dialect, todoRows, jdbi);
        } catch (Throwable e) {
            BrokenConnections.abortAfter(e, connection);
            giveBack(connection, autoCommit);
            throw e;
        }
    }

    @Override
    public TimerWrites writes() {
        return writes;
    }

    @Override
    public Transaction transaction() {
        return transaction;
    }

    @Override
    public void waitBriefly() {
        checkOpen();
        if (waits == null) {
            InterruptFlag.clearedFor(this::waitBrieflyNow);
        }
    }

    private void waitBrieflyNow() {
        try {
            waits = dialect.limitWaitsOfTransaction(connection);
            joined.waitBriefly(true);
            execute(dialect.waitBriefly());
        } catch (SQLException | JdbiException e) {
            throw Failures.of(dialect, "begin", "transaction", e);
        } catch (Error e) {
            BrokenConnections.abortAfter(e, connection);
            throw e;
        }
    }

    @Override
    public void waitLonger() {
        checkOpen();
        if (waits != null) {
            InterruptFlag.clearedFor(this::waitLongerNow);
        }
    }

    private void waitLongerNow() {
        try {
            joined.waitBriefly(false);
            execute(dialect.waitLonger());
        } catch (JdbiException e) {
            throw Failures.of(dialect, "begin", "transaction", e);
        } catch (Error e) {
            BrokenConnections.abortAfter(e, connection);
            throw e;
        }
    }

    private void execute(@Nullable String statement) {
        if (statement != null) {
            try (Handle handle = statements.open()) {
                handle.execute(dialect.sql().text(statement));
            }
        }
    }

    @Override
    public boolean isLost() {
        try {
            return !InterruptFlag.cleared(() -> connection.isValid(ANSWER_SECONDS));
        } catch (SQLException e) {
            return true;
        }
    }

    @Override
    public void commit() {
        checkOpen();
        ended = true;
        InterruptFlag.clearedFor(this::commitNow);
    }

    private void commitNow() {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw Failures.of(dialect, "commit", "transaction", e);
        } catch (Error e) {
            BrokenConnections.abortAfter(e, connection);
            throw e;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ended = true;
            InterruptFlag.clearedFor(this::closeNow);
        }
    }

    private void closeNow() {
        try {
            restoreWaits();
        } catch (Error e) {
            BrokenConnections.abortAfter(e, connection);
            throw e;
        } finally {
            giveBack(connection, autoCommit);
        }
    }

    private void restoreWaits() {
        LockWaits.Restore limited = waits;
        try {
            if (limited != null) {
                limited.close();
            }
        } catch (SQLException e) {
            LOG.debug("a connection keeps a short wait for locks", Failures.withoutValues(e));
        }
    }

    /** After a commit there is nothing to roll back, unless it failed. */
    private static void giveBack(Connection connection, boolean autoCommit) {
        try (connection) {
            if (!connection.isClosed() && !connection.getAutoCommit()) {
                rollback(connection);
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            LOG.debug("a transaction was not rolled back, but ends with its connection", Failures.withoutValues(e));
        }
    }

    /** To switch to auto-commit would commit what could not be rolled back. So such a connection is of no more use. */
    private static void rollback(Connection connection) throws SQLException {
        boolean done = false;
        try {
            connection.rollback();
            done = true;
        } finally {
            if (!done) {
                connection.abort(Runnable::run);
            }
        }
    }

    private void checkOpen() {
        if (ended) {
            throw new IllegalStateException("transaction must be open but was committed or closed");
        }
    }
}

package dev.duetime.jdbc;

import dev.duetime.StoreException;
import dev.duetime.jdbc.internal.connection.CheckedDataSource;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.connection.HandleSource;
import dev.duetime.jdbc.internal.connection.JoinedTransaction;
import dev.duetime.jdbc.internal.connection.LentConnection;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.port.JdbcTimerWrites;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.tx.InterruptFlag;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
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

    /** The SQLSTATE of a connection that does not exist any more. */
    private static final String CONNECTION_LOST = "08003";

    private final LentConnection lent;
    private final Connection connection;
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
            LentConnection lent, Dialect dialect, TodoRows todoRows, Function<ConnectionFactory, Jdbi> jdbi)
            throws SQLException {
        this.lent = lent;
        connection = lent.connection();
        this.dialect = dialect;
        transaction = JdbcTransaction.of(connection, this::checkOpen);
        statements = jdbi.apply(transaction.connections());
        joined = new JoinedTransaction(statements, dialect, lent);
        writes = new JdbcTimerWrites(joined, dialect, todoRows);
        if (lent.autoCommit()) {
            connection.setAutoCommit(false);
        }
        HandleSource.closing(statements::open, handle -> {
            dialect.begin(handle, false);
            return true;
        });
    }

    /**
     * Begins a transaction.
     *
     * @param todoRows reads the items of to-do lists
     * @param jdbi creates the Jdbi of a connection
     * @throws StoreException if the database failed
     */
    static JdbcOwnTransaction begin(
            CheckedDataSource dataSource, Dialect dialect, TodoRows todoRows, Function<ConnectionFactory, Jdbi> jdbi) {
        try {
            return InterruptFlag.cleared(() -> beginNow(dataSource, dialect, todoRows, jdbi));
        } catch (SQLException | JdbiException e) {
            throw Failures.of(dialect, "begin", "transaction", e);
        }
    }

    private static JdbcOwnTransaction beginNow(
            CheckedDataSource dataSource, Dialect dialect, TodoRows todoRows, Function<ConnectionFactory, Jdbi> jdbi)
            throws SQLException {
        LentConnection lent = dataSource.lend();
        try {
            return new JdbcOwnTransaction(lent, dialect, todoRows, jdbi);
        } catch (Throwable e) {
            lent.abortAfter(e);
            giveBack(lent);
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
            HandleSource.closing(statements::open, handle -> {
                waits = dialect.limitWaitsOfTransaction(connection);
                joined.waitBriefly(true);
                return execute(handle, dialect.waitBriefly());
            });
        } catch (SQLException | JdbiException e) {
            throw Failures.of(dialect, "begin", "transaction", e);
        } catch (Error e) {
            lent.abortAfter(e);
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
            HandleSource.closing(statements::open, handle -> execute(handle, dialect.waitLonger()));
        } catch (SQLException | JdbiException e) {
            throw Failures.of(dialect, "begin", "transaction", e);
        } catch (Error e) {
            lent.abortAfter(e);
            throw e;
        }
    }

    private int execute(Handle handle, @Nullable String statement) {
        return statement == null ? 0 : handle.execute(dialect.sql().text(statement));
    }

    @Override
    public boolean isLost() {
        try {
            return lent.isBroken() || !InterruptFlag.cleared(() -> connection.isValid(ANSWER_SECONDS));
        } catch (SQLException e) {
            return true;
        } catch (Error e) {
            lent.abortAfter(e);
            throw e;
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
            if (lent.isBroken()) {
                throw new SQLException("the connection was aborted after an error", CONNECTION_LOST);
            }
            connection.commit();
        } catch (SQLException e) {
            throw Failures.of(dialect, "commit", "transaction", e);
        } catch (Error e) {
            lent.abortAfter(e);
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
        if (lent.mayRestore()) {
            restoreWaits();
        }
        giveBack(lent);
    }

    private void restoreWaits() {
        LockWaits.Restore limited = waits;
        try {
            if (limited != null) {
                limited.close();
            }
        } catch (SQLException e) {
            LOG.debug("a connection keeps a short wait for locks", Failures.withoutValues(e));
        } catch (RuntimeException | Error e) {
            lent.abortAfter(e);
        }
    }

    /**
     * After a commit there is nothing to roll back, unless it failed. Never throws: what is committed stays so, and a
     * failure of the caller's must not be replaced.
     */
    private static void giveBack(LentConnection lent) {
        try {
            if (!lent.isBroken()) {
                rollback(lent.connection(), lent.autoCommit());
            }
            lent.giveBack();
        } catch (SQLException | RuntimeException | Error e) {
            // To switch to auto-commit would commit what could not be rolled back. So it is of no more use.
            lent.giveBackBroken();
        }
    }

    private static void rollback(Connection connection, boolean autoCommit) throws SQLException {
        if (!connection.isClosed() && !connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        }
    }

    private void checkOpen() {
        if (ended) {
            throw new IllegalStateException("transaction must be open but was committed or closed");
        }
    }
}

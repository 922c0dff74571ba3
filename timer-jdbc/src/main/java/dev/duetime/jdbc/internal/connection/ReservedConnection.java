package dev.duetime.jdbc.internal.connection;

import dev.duetime.StoreException;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.tx.BrokenConnections;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the pool that is kept for certain transactions, so that they never wait until users' work returns
 * one. It is taken with the first transaction and kept until {@link #letGo}. If it fails, another connection replaces
 * it and the transaction runs once more: the connection may have been lost since the last transaction. Thread-safe: one
 * transaction at a time.
 */
public final class ReservedConnection implements Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(ReservedConnection.class);

    /** The time limit of a call, where the driver can limit it: its thread must not hang for ever. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);

    private final CheckedDataSource dataSource;
    private final Dialect dialect;
    private final Transactions transactions;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock; any thread reads the volatile fields.
    private volatile @Nullable LentConnection kept;
    private int formerLimit;
    private LockWaits.@Nullable Restore formerWait;

    /**
     * Creates the place for a connection, without one.
     *
     * @param jdbi creates the Jdbi of a connection
     */
    public ReservedConnection(CheckedDataSource dataSource, Dialect dialect, Function<ConnectionFactory, Jdbi> jdbi) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        dataSource.whenRefused(e -> {
            if (Failures.any(e, dialect::isHeldByOlderConnections)) {
                closeIfIdle();
            }
        });
        transactions = new OwnTransactions(new Kept(jdbi), dialect, OwnTransactions.Waits.AS_SET);
    }

    /** Returns whether it holds a connection. */
    public boolean isKept() {
        return kept != null;
    }

    /**
     * Returns whether statements on the connection wait briefly for rows, and may run outside a transaction. To be
     * asked inside a transaction.
     */
    public boolean isSetUp() {
        return formerWait != null;
    }

    @Override
    public boolean isJoined() {
        return false;
    }

    @Override
    public <T> T single(String operation, Object subject, Work<T> statement) {
        return onKept(() -> transactions.single(operation, subject, statement));
    }

    @Override
    public <T> T run(String operation, Object subject, Work<T> work) {
        return onKept(() -> transactions.run(operation, subject, work));
    }

    private <T> T onKept(Supplier<T> transaction) {
        // Not under the lock: a driver may take long to end a connection, and the leases do not wait for that.
        dataSource.endBroken();
        lock.lock();
        try {
            boolean fresh = kept == null;
            try {
                return orDrop(transaction);
            } catch (StoreException e) {
                if (fresh) {
                    throw e;
                }
                LOG.debug("the connection for leases has failed and is replaced", e);
            }
            return orDrop(transaction);
        } finally {
            lock.unlock();
        }
    }

    private <T> T orDrop(Supplier<T> transaction) {
        try {
            return transaction.get();
        } catch (RuntimeException | Error e) {
            LentConnection lent = kept;
            if (lent != null) {
                lent.abortAfter(e);
            }
            dropAfter(e);
            throw e;
        }
    }

    /** Gives the connection back to the pool. The next transaction takes another one. */
    public void letGo() {
        lock.lock();
        try {
            drop();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the connection to the database itself, unless a transaction runs on it. Called if no other connection can
     * be opened because of this one.
     */
    private void closeIfIdle() {
        if (!lock.tryLock()) {
            return;
        }
        LentConnection lent = kept;
        try {
            if (lent != null) {
                LOG.warn("no connection could be opened while one was kept for leases; closing that one");
                lent.connection().unwrap(Connection.class).close();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("the connection for leases could not be closed", e);
        } catch (Error e) {
            if (lent != null) {
                lent.abortAfter(e);
            }
            throw e;
        } finally {
            try {
                drop();
            } finally {
                lock.unlock();
            }
        }
    }

    private void dropAfter(Throwable failure) {
        try {
            drop();
        } catch (RuntimeException | Error e) {
            BrokenConnections.suppress(failure, e);
        }
    }

    /** The connection is forgotten last: until then, the next transaction finds it. */
    private void drop() {
        LentConnection lent = kept;
        if (lent == null) {
            return;
        }
        LockWaits.Restore wait = formerWait;
        formerWait = null;
        try {
            if (lent.mayRestore()) {
                restore(lent.connection(), wait);
            }
            lent.giveBack();
        } catch (SQLException | RuntimeException e) {
            lent.giveBackAfter(e);
            LOG.debug(
                    "the connection for leases was not closed in good order: {}",
                    e.getClass().getName());
        } catch (Error e) {
            lent.giveBackAfter(e);
        }
        kept = null;
    }

    private void restore(Connection connection, LockWaits.@Nullable Restore wait) throws SQLException {
        // The statement that restores the wait must not hang, so the limit of a call ends after it.
        try {
            if (wait != null) {
                wait.close();
            }
        } finally {
            if (!connection.isClosed() && formerLimit >= 0) {
                connection.setNetworkTimeout(Runnable::run, formerLimit);
            }
        }
    }

    private void take() throws SQLException {
        LentConnection former = kept;
        if (former != null && former.isBroken()) {
            drop();
        }
        if (kept == null) {
            LentConnection lent = dataSource.lend();
            // It is known before anything else can fail: else nobody would give it back.
            kept = lent;
            formerLimit = -1;
            formerLimit = limitCalls(lent.connection());
            formerWait = dialect.keepForLeases(lent.connection());
        }
    }

    /** Returns the limit that held before, negative if the driver has none. */
    private static int limitCalls(Connection connection) {
        try {
            int former = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST_CALL.toMillis()));
            return former;
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            LOG.debug(
                    "calls of the connection for leases are not limited: {}",
                    e.getClass().getName());
            return -1;
        }
    }

    /** A source that gives out the reserved connection and does not close it. */
    private final class Kept implements HandleSource, ConnectionFactory {
        private final Jdbi jdbi;

        Kept(Function<ConnectionFactory, Jdbi> jdbi) {
            this.jdbi = jdbi.apply(this);
        }

        @Override
        public <T> T with(Work<T> work) throws SQLException {
            try {
                return HandleSource.closing(jdbi::open, work);
            } catch (Throwable e) {
                LentConnection lent = kept;
                if (lent != null) {
                    lent.abortAfter(e);
                }
                throw e;
            }
        }

        @Override
        public Connection openConnection() throws SQLException {
            take();
            return Objects.requireNonNull(kept).connection();
        }

        @Override
        public void closeConnection(Connection connection) {
            // The connection is kept.
        }
    }
}

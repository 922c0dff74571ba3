package dev.duetime.jdbc.internal.connection;

import dev.duetime.internal.RetryTurns;
import dev.duetime.jdbc.internal.dialect.CancelledWait;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.tx.BrokenConnections;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.InterruptFlag;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.tx.UnendedTransaction;
import dev.duetime.store.CollisionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runner of work in transactions of the store's own. If the work collided with another transaction, it runs again:
 * after a deadlock, a serialization failure, or a key that was just taken. After a lost connection it does not: the
 * engine backs off as a whole.
 *
 * <p>{@link Waits} says how long to wait for a lock that another transaction holds. Meanwhile the connection is
 * returned to the pool, so that waiting calls take no connections from the others. Of the waiting calls, only a few
 * retry at a time ({@link RetryTurns}).
 *
 * <p>Thread-safe. Does not use Jdbi's transactions: if a pool gives out connections without auto-commit, Jdbi assumes
 * that somebody else will commit.
 */
public final class OwnTransactions implements Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(OwnTransactions.class);
    private static final int ATTEMPTS = 10;
    /** How many tries in a row the server may cancel. More are no coincidence: somebody limits the statements. */
    private static final int CANCELLED_TRIES = 5;

    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(1).toNanos();
    private static final long LONGER_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
    private static final int LONGER_PAUSES = 5;

    private final HandleSource connections;
    private final Dialect dialect;
    private final Waits waits;
    private final RetryTurns turns;

    /**
     * The rule for how long work waits for a lock that another transaction holds.
     *
     * @param briefly whether a try gives up after {@link LockWaits#LOCK_WAIT}
     * @param longest how long tries are repeated
     */
    public record Waits(boolean briefly, Duration longest) {
        /** A few tries, each as long as the database lets it wait. */
        public static final Waits AS_SET = new Waits(false, Duration.ofSeconds(10));

        /** Short tries, which an interrupt ends. */
        static final Waits INTERRUPTIBLY = new Waits(true, Duration.ofSeconds(10));

        /** Short tries, together as long as a loop waits for a row. */
        public static final Waits OF_LOOPS = new Waits(true, Duration.ofMillis(250));

        /** One short try: others wait for this one. */
        public static final Waits NEVER = new Waits(true, Duration.ZERO);
    }

    public OwnTransactions(HandleSource connections, Dialect dialect, Waits waits) {
        this(connections, dialect, waits, 1);
    }

    /**
     * Creates the runner.
     *
     * @param retriesAtOnce how much of the work that met a lock retries at the same time
     */
    public OwnTransactions(HandleSource connections, Dialect dialect, Waits waits, int retriesAtOnce) {
        this.connections = connections;
        this.dialect = dialect;
        this.waits = waits;
        turns = new RetryTurns(retriesAtOnce, System::nanoTime);
    }

    @Override
    public boolean waitsBriefly() {
        return waits.briefly();
    }

    @Override
    public boolean isJoined() {
        return false;
    }

    @Override
    public boolean isBrief() {
        return true;
    }

    @Override
    public boolean survivesFailure() {
        return true;
    }

    @Override
    public <T> T single(String operation, Object subject, Work<T> statement) {
        return repeat(
                operation,
                subject,
                handle -> handle.getConnection().getAutoCommit() && !needsTransaction()
                        ? statement.run(handle)
                        : commit(handle, statement));
    }

    private boolean needsTransaction() {
        return dialect.isolatesTooMuch() || limitsByTransaction();
    }

    private boolean limitsByTransaction() {
        return waits.briefly() && dialect.limitsWaitsByTransaction();
    }

    @Override
    public <T> T run(String operation, Object subject, Work<T> work) {
        return repeat(operation, subject, handle -> commit(handle, work));
    }

    private <T> T repeat(String operation, Object subject, Work<T> work) {
        try (RetryTurns.Call call = turns.call(subject)) {
            return repeat(call, operation, subject, work);
        }
    }

    private <T> T repeat(RetryTurns.Call call, String operation, Object subject, Work<T> work) {
        long began = System.nanoTime();
        int cancelled = 0;
        for (int attempt = 1; ; attempt++) {
            Exception failure;
            try {
                return attempt(work);
            } catch (SQLException | JdbiException e) {
                failure = e;
            } finally {
                call.endTry();
            }
            cancelled = Failures.any(failure, CancelledWait.class::isInstance) ? cancelled + 1 : 0;
            if (cancelled > CANCELLED_TRIES) {
                throw Failures.of(operation, subject, failure);
            }
            if (waits.briefly() && Failures.any(failure, each -> dialect.collision(each) == Collision.LOCKED)) {
                LOG.debug("{} {} met a lock, attempt {}", operation, subject, attempt);
                if (!awaitTurn(call, attempt, waits.longest().toNanos() - (System.nanoTime() - began), failure)) {
                    throw new CollisionException(operation, subject, Failures.withoutValues(failure));
                }
            } else if (attempt >= ATTEMPTS
                    || isOver(began)
                    || !Failures.any(failure, each -> dialect.collision(each) != Collision.NONE)) {
                throw Failures.of(operation, subject, failure);
            } else {
                LOG.debug("{} {} met another transaction, attempt {}", operation, subject, attempt);
                pause(attempt);
            }
        }
    }

    /** If each try waits as long as the database allows, ten tries could take minutes. */
    private boolean isOver(long began) {
        return waits.equals(Waits.AS_SET)
                && System.nanoTime() - began > waits.longest().toNanos();
    }

    private <T> T attempt(Work<T> work) throws SQLException {
        return InterruptFlag.cleared(() -> connections.with(waits.briefly() ? handle -> briefly(handle, work) : work));
    }

    private <T> T briefly(Handle handle, Work<T> work) throws SQLException {
        LockWaits.Restore setting = dialect.limitWaits(handle.getConnection());
        return setting.after(handle, same -> dialect.limited(same, LockWaits.LONGEST_WAIT, work));
    }

    /** Waits for the next try of work that met a lock. Returns whether there is one: then it is this thread's turn. */
    private static boolean awaitTurn(RetryTurns.Call call, int attempt, long leftNanos, Exception failure) {
        if (leftNanos <= 0) {
            return false;
        }
        try {
            pause(Math.min(attempt, LONGER_PAUSES));
            return call.await(leftNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure.addSuppressed(e);
            return false;
        }
    }

    private static void pause(int attempt) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_NANOS, attempt * LONGER_PAUSE_NANOS));
    }

    private <T> T commit(Handle handle, Work<T> work) throws SQLException {
        Connection connection = handle.getConnection();
        boolean autoCommit = connection.getAutoCommit();
        if (autoCommit) {
            connection.setAutoCommit(false);
        }
        T result;
        try {
            if (dialect.isolatesTooMuch()) {
                handle.execute(dialect.sql().text("read_committed"));
            }
            dialect.begin(handle, false);
            result = limitsByTransaction() ? dialect.briefly(handle, work) : work.run(handle);
            connection.commit();
        } catch (Throwable e) {
            // After an error the connection is ended where it was lent.
            if (!BrokenConnections.breaks(e)) {
                rollback(connection, autoCommit, e);
            }
            throw e;
        }
        restore(connection, autoCommit);
        return result;
    }

    /** The reason stays the one that is thrown, unless it cannot tell that the rollback failed. */
    private void rollback(Connection connection, boolean autoCommit, Throwable reason) throws SQLException {
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException e) {
            Exception failure = Failures.withoutValues(e);
            if (!dialect.hasEndedTransaction(e)) {
                // To switch to auto-commit would commit what could not be rolled back.
                UnendedTransaction unended = new UnendedTransaction(failure);
                reason.addSuppressed(unended);
                if (!BrokenConnections.breaks(reason)) {
                    throw new SQLException(unended.getMessage(), unended);
                }
                return;
            }
            reason.addSuppressed(failure);
        }
        try {
            restore(connection, autoCommit);
        } catch (SQLException e) {
            reason.addSuppressed(Failures.withoutValues(e));
        }
    }

    private static void restore(Connection connection, boolean autoCommit) throws SQLException {
        if (autoCommit && !connection.isClosed()) {
            connection.setAutoCommit(true);
        }
    }
}

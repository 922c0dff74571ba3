package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.tx.Transactions.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * A source that lends a connection of the pool for each work. The connection is given back here and not by Jdbi, which
 * forgets it if there is no memory for a handle. Thread-safe.
 */
public final class PooledHandles implements HandleSource {
    /** The connection for the handle that this thread opens. */
    private static final ThreadLocal<Connection> OPENING = new ThreadLocal<>();

    private final CheckedDataSource dataSource;
    private final Jdbi jdbi;

    /**
     * Creates the source.
     *
     * @param jdbi creates the Jdbi of connections
     */
    public PooledHandles(CheckedDataSource dataSource, Function<ConnectionFactory, Jdbi> jdbi) {
        this.dataSource = dataSource;
        this.jdbi = jdbi.apply(new Lent());
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        LentConnection lent = dataSource.lend();
        T result;
        try {
            result = HandleSource.closing(() -> open(lent), work);
        } catch (Throwable e) {
            lent.giveBackAfter(e);
            throw e;
        }
        lent.giveBack();
        return result;
    }

    private Handle open(LentConnection lent) {
        OPENING.set(lent.connection());
        try {
            return jdbi.open();
        } finally {
            OPENING.remove();
        }
    }

    /** Passes on the connection, and does not close it. */
    private static final class Lent implements ConnectionFactory {
        @Override
        public Connection openConnection() {
            return Objects.requireNonNull(OPENING.get());
        }

        @Override
        public void closeConnection(Connection connection) {
            // It is given back after the work.
        }
    }
}

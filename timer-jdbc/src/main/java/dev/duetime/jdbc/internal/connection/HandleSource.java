package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.tx.BrokenConnections;
import dev.duetime.jdbc.internal.tx.Transactions.Work;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/** A source of connections for the store's own transactions. Implementations are thread-safe. */
@FunctionalInterface
public interface HandleSource {

    /** Runs work on a connection. If both the work and the end of its use fail, the failure of the work is thrown. */
    <T> T with(Work<T> work) throws SQLException;

    /**
     * Opens a handle, runs work on it and closes it, but not after an error: that would use the connection. No other
     * exception replaces an error.
     */
    static <T> T closing(Supplier<Handle> opening, Work<T> work) throws SQLException {
        try {
            Handle handle = opening.get();
            T result;
            try {
                result = work.run(handle);
            } catch (Throwable e) {
                if (!BrokenConnections.breaks(e)) {
                    closeAfter(e, handle);
                }
                throw e;
            }
            handle.close();
            return result;
        } catch (RuntimeException e) {
            if (BrokenConnections.original(e) instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    private static void closeAfter(Throwable failure, Handle handle) {
        try {
            handle.close();
        } catch (RuntimeException | Error e) {
            BrokenConnections.suppress(failure, e);
        }
    }
}

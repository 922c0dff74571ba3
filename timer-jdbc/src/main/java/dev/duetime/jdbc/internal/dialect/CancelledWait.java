package dev.duetime.jdbc.internal.dialect;

import dev.duetime.internal.Errors;
import java.sql.SQLException;

/**
 * A lock timeout that the server reported as a cancellation. PostgreSQL ends a wait by a cancellation that it sends to
 * itself. If the statement gets the lock at that moment, and then waits for a second one, the server no longer knows
 * the origin of the cancellation.
 *
 * <p>A DBA and the limit of a role ({@code statement_timeout}) cancel statements with the same SQLSTATE. They cancel
 * long statements. So only the cancellation of a short one is taken for a lock timeout.
 */
public final class CancelledWait extends SQLException {
    private static final long serialVersionUID = 1L;

    CancelledWait(String state, Exception cause) {
        super("the server cancelled a wait for a lock", state, cause);
    }

    /** Returns the SQLSTATE of the outermost error of the driver; empty if there is none. */
    static String stateOf(Throwable e) {
        Throwable each = e;
        while (each != null && !(each instanceof SQLException)) {
            each = Errors.cause(each);
        }
        return each instanceof SQLException found ? String.valueOf(found.getSQLState()) : "";
    }
}

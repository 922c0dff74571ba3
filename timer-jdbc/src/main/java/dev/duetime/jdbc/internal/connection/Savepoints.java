package dev.duetime.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Savepoints, which some connections refuse: those of a pool of JTA, inside a global transaction. */
public final class Savepoints {
    /**
     * The SQLSTATE classes of errors that are no refusal: connection, rollback, resources, operator, system, the
     * general error, and damaged data. The work must not run without a savepoint because a statement was interrupted.
     */
    private static final Set<String> FAILURES = Set.of("08", "40", "53", "57", "58", "70", "HY", "XX");

    private Savepoints() {}

    /** Sets a savepoint. Returns null if the connection refuses it. Throws if that failed for another reason. */
    public static @Nullable Savepoint set(Connection connection) throws SQLException {
        try {
            return connection.setSavepoint();
        } catch (SQLException e) {
            if (connection.isClosed() || Failures.any(e, Savepoints::isFailure)) {
                throw e;
            }
            return null;
        }
    }

    private static boolean isFailure(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return e instanceof SQLTransientException
                || e instanceof SQLRecoverableException
                || FAILURES.contains(state.substring(0, Math.min(2, state.length())));
    }
}

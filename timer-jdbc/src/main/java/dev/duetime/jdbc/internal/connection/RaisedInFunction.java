package dev.duetime.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.util.Set;

/**
 * The question whether an error of PostgreSQL has a context: the function in which it was raised. Such a function may
 * be that of a trigger of the user's, in any language. A function may choose any SQLSTATE and any text, and run
 * statements that are made of values. The server translates its messages, and the driver may leave the context out of
 * its own. So the driver's interface is called; the driver is no dependency of ours, so it is called by name.
 *
 * <p>An error of a wait has a context, too: the row that was waited for. If it comes from a source file of the server
 * that raises only errors of waits, its text is the server's own.
 */
final class RaisedInFunction {
    private static final String DRIVER = "org.postgresql.util.PSQLException";
    private static final String ANSWER = "org.postgresql.util.ServerErrorMessage";

    /** A lock that timed out or was not waited for, a statement that was cancelled, and a deadlock. */
    private static final Set<String> WAITS = Set.of("55P03", "57014", "40P01");

    /** The source files of the server that raise these. None of them belongs to a language of functions. */
    private static final Set<String> FILES_OF_WAITS = Set.of("postgres.c", "deadlock.c", "heapam.c");

    private RaisedInFunction() {}

    /** Returns whether the error has a context, but not that of a wait; also if that cannot be found out. */
    static boolean is(SQLException e) {
        Class<?> type = e.getClass();
        if (!type.getName().equals(DRIVER)) {
            return false;
        }
        try {
            Object answer = type.getMethod("getServerErrorMessage").invoke(e);
            if (answer == null) {
                return false;
            }
            Class<?> api = Class.forName(ANSWER, false, type.getClassLoader());
            return api.getMethod("getWhere").invoke(answer) != null
                    && !(WAITS.contains(String.valueOf(e.getSQLState()))
                            && FILES_OF_WAITS.contains(
                                    String.valueOf(api.getMethod("getFile").invoke(answer))));
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException unknown) {
            return true;
        }
    }
}

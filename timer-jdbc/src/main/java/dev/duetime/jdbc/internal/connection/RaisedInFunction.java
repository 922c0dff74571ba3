package dev.duetime.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;

/**
 * The question whether an error of PostgreSQL has a context: the function in which it was raised. Such a function may
 * be that of a trigger of the user's, in any language. A function may choose any SQLSTATE and any text, and run
 * statements that are made of values. The server translates its messages, and the driver may leave the context out of
 * its own. So the driver's interface is called; the driver is no dependency of ours, so it is called by name.
 */
final class RaisedInFunction {
    private static final String DRIVER = "org.postgresql.util.PSQLException";
    private static final String ANSWER = "org.postgresql.util.ServerErrorMessage";

    private RaisedInFunction() {}

    /** Returns whether the error has a context; also if that cannot be found out. */
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
            return api.getMethod("getWhere").invoke(answer) != null;
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException unknown) {
            return true;
        }
    }
}

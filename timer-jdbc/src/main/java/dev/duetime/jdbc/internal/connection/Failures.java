package dev.duetime.jdbc.internal.connection;

import dev.duetime.StoreException;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Printable;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.RefusedException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The translation of exceptions of drivers into {@link StoreException}s without stored values, neither in their
 * messages nor in those of their causes. Drivers quote rows and parameters, which may be payload.
 *
 * <p>A message contains the whole chain of causes, each once: a pool says that it has no connection, and its cause says
 * why. The first line of an error is kept, unless its SQLSTATE shows that data or a user's trigger may have caused it.
 * PostgreSQL's details and MariaDB's dump of the statement are on later lines. Any other error is shown by its codes
 * alone.
 */
public final class Failures {
    /**
     * The SQLSTATE classes whose messages name tables, logins and servers, but no values: connection, feature,
     * transaction, login, catalog, rollback, access rule, resources, limits, state, operator, system; and H2's own.
     */
    private static final Set<String> WITHOUT_VALUES =
            Set.of("08", "0A", "25", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58", "70", "90");

    /** SQLite's code for a violated constraint, or a trigger that raises. Its errors have no SQLSTATE. */
    private static final int SQLITE_CONSTRAINT = 19;

    private static final int MOST_CAUSES = 100;

    /** The SQLSTATE classes of refusals by a constraint or a trigger. */
    private static final Set<String> REFUSALS = Set.of("22", "23", "27", "09", "38", "39", "44", "45", "P0");

    /**
     * MySQL's codes for refusals without an SQLSTATE of their own: a column without a value, a value that does not fit,
     * and a CHECK that is violated.
     */
    private static final Set<Integer> REFUSALS_OF_MYSQL = Set.of(1364, 1366, 3819);

    /**
     * MariaDB's and MySQL's codes for a server that takes no writes: an option such as {@code --super-read-only}
     * forbids the statement, the transaction is read-only, and the storage engine is.
     */
    private static final Set<Integer> READ_ONLY_IN_MYSQL = Set.of(1290, 1792, 1836);

    /**
     * MariaDB's and MySQL's code for a statement that cannot be parsed. The message quotes a part of it, with the
     * values that the driver has put into it.
     */
    private static final int SYNTAX_IN_MYSQL = 1064;

    /** How MySQL's driver begins to refuse a write by itself, with an SQLSTATE that it uses for other errors, too. */
    private static final String READ_ONLY_CONNECTION = "Connection is read-only. ";

    /** MariaDB's and MySQL's codes for a {@code SIGNAL}, whatever SQLSTATE it has. */
    private static final Set<Integer> SIGNALS_OF_MYSQL = Set.of(1642, 1643, 1644);

    /**
     * The SQLSTATE classes of errors that are not those of a row: success, warnings, connection, session, login,
     * catalog, rollback, resources, operator, system, what MySQL's driver and H2 say of themselves, the general error,
     * and damaged data.
     */
    private static final Set<String> OUTAGES = Set.of(
            "00", "01", "02", "08", "25", "28", "3D", "40", "50", "53", "57", "58", "70", "90", "HY", "S1", "XX");

    /** PostgreSQL's code for a lock that was not waited for. Others of its class may be those of a row. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final int SQLSTATE_LENGTH = 5;

    /** SQLite's codes for a general error, and for a value that is too large or of another type. */
    private static final Set<Integer> IN_DOUBT_IN_SQLITE = Set.of(1, 18, 20);

    private static final int H2_TRIGGER_FAILED = 90044;

    /** H2's codes for the exceptions of a user's trigger or function, which they quote. */
    private static final Set<Integer> OF_USERS_CODE_IN_H2 = Set.of(H2_TRIGGER_FAILED, 90105);

    private Failures() {}

    /**
     * Returns a {@link RefusedException} if the database refused the content of a write, and a {@link
     * DoubtfulException} if that may be so: a trigger may choose any code.
     */
    public static StoreException of(String operation, Object subject, Exception e) {
        if (any(e, Failures::isRefusal)) {
            return new RefusedException(operation, subject, withoutValues(e));
        }
        return any(e, Failures::isDoubtful) && !any(e, Failures::isOutage)
                ? new DoubtfulException(operation, subject, withoutValues(e))
                : new StoreException(operation, subject, withoutValues(e));
    }

    /** Returns the same, but a {@link CollisionException} if another transaction was in the way. */
    public static StoreException of(Dialect dialect, String operation, Object subject, Exception e) {
        return any(e, each -> dialect.collision(each) != Collision.NONE)
                ? new CollisionException(
                        operation,
                        subject,
                        withoutValues(e),
                        any(e, each -> dialect.collision(each) == Collision.LOCKED))
                : of(operation, subject, e);
    }

    /** Returns whether the condition holds for the exception, one of its causes or a suppressed exception. */
    public static boolean any(Throwable e, Predicate<SQLException> condition) {
        return chain(e).stream().anyMatch(each -> each instanceof SQLException found && condition.test(found));
    }

    /** Returns whether the database answered, and refused a write because of its content. */
    public static boolean isRefusal(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return REFUSALS.contains(state.substring(0, Math.min(2, state.length())))
                || e.getErrorCode() == H2_TRIGGER_FAILED
                || SIGNALS_OF_MYSQL.contains(e.getErrorCode())
                || ("HY000".equals(state) && REFUSALS_OF_MYSQL.contains(e.getErrorCode()))
                || isConstraintOfSqlite(e);
    }

    /** Returns whether the database answered with an error that may be that of a single row. */
    private static boolean isDoubtful(SQLException e) {
        return isOfSqlite(e)
                ? IN_DOUBT_IN_SQLITE.contains(e.getErrorCode() & 0xFF)
                : !classOf(e).isEmpty();
    }

    /** Returns whether the error is that of the connection, the server or the driver, or of another transaction. */
    private static boolean isOutage(SQLException e) {
        return e instanceof SQLTransientException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || LOCK_NOT_AVAILABLE.equals(e.getSQLState())
                || OUTAGES.contains(classOf(e));
    }

    /** Returns the class of the SQLSTATE; empty if the driver gives none. */
    private static String classOf(SQLException e) {
        String state = e.getSQLState();
        return state == null || state.length() != SQLSTATE_LENGTH ? "" : state.substring(0, 2);
    }

    private static boolean isConstraintOfSqlite(SQLException e) {
        return isOfSqlite(e) && (e.getErrorCode() & 0xFF) == SQLITE_CONSTRAINT;
    }

    private static boolean isOfSqlite(SQLException e) {
        return e.getClass().getName().startsWith("org.sqlite.");
    }

    /**
     * Returns an exception that describes the whole chain in one line, with the codes and stack trace of the first
     * {@link SQLException}. Its cause is the failure of the network or of a file, if there is one without a login.
     */
    public static SQLException withoutValues(Throwable e) {
        List<Throwable> chain = chain(e);
        SQLException first = chain.stream()
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .findFirst()
                .orElse(null);
        Set<String> told = new LinkedHashSet<>();
        for (Throwable each : chain) {
            if (each instanceof SQLException found) {
                if (!(each instanceof BatchUpdateException) || chain.indexOf(each) == chain.size() - 1) {
                    told.add(text(found));
                }
            } else if (isOfSystem(each) || (first == null && isOfMigration(each))) {
                told.add(each.getClass().getSimpleName() + ": " + oneLine(Errors.message(each)));
            }
        }
        String text = told.isEmpty() ? e.getClass().getName() : String.join(", caused by ", told);
        SQLException result = first == null
                ? new SQLException(text)
                : new SQLException(text, first.getSQLState(), first.getErrorCode());
        result.setStackTrace(first == null ? Errors.trace(e) : Errors.trace(first));
        chain.stream().filter(Failures::isShowableOfSystem).findFirst().ifPresent(result::initCause);
        return result;
    }

    private static String text(SQLException e) {
        String codes =
                "%s, SQLSTATE %s, code %d".formatted(e.getClass().getSimpleName(), e.getSQLState(), e.getErrorCode());
        String message = Errors.message(e);
        return message == null || (mayQuoteValues(e) && !isOfReadOnlyServer(e))
                ? codes
                : Printable.withoutSecrets(message.lines().findFirst().orElse("")) + " (" + codes + ")";
    }

    /**
     * Returns whether the server, or the driver's connection, takes no writes. These errors have no SQLSTATE of their
     * own on MariaDB and MySQL. Their messages name only an option of the server.
     */
    private static boolean isOfReadOnlyServer(SQLException e) {
        return !(e instanceof BatchUpdateException)
                && (READ_ONLY_IN_MYSQL.contains(e.getErrorCode())
                        || String.valueOf(Errors.message(e)).startsWith(READ_ONLY_CONNECTION));
    }

    private static boolean mayQuoteValues(SQLException e) {
        if (e instanceof BatchUpdateException) {
            // PostgreSQL's driver begins with the statement and all that is bound to it.
            return true;
        }
        if (OF_USERS_CODE_IN_H2.contains(e.getErrorCode())
                || SIGNALS_OF_MYSQL.contains(e.getErrorCode())
                || e.getErrorCode() == SYNTAX_IN_MYSQL
                || RaisedInFunction.is(e)
                || String.valueOf(Errors.message(e)).contains("PL/pgSQL function ")) {
            return true;
        }
        String state = e.getSQLState();
        if (state == null || state.isEmpty()) {
            return isConstraintOfSqlite(e);
        }
        return !WITHOUT_VALUES.contains(state.substring(0, Math.min(2, state.length())));
    }

    /** Returns whether it is a failure of the network, of a file or of a wait. Their messages quote no rows. */
    private static boolean isOfSystem(Throwable e) {
        return e instanceof IOException || e instanceof TimeoutException || e instanceof GeneralSecurityException;
    }

    /** PostgreSQL's driver takes {@code user:password@host} for the name of a host, which is then unknown. */
    private static boolean isShowableOfSystem(Throwable e) {
        String message = String.valueOf(Errors.message(e));
        return isOfSystem(e) && Printable.withoutSecrets(message).equals(Printable.line(message));
    }

    /** Returns whether the message is Flyway's: it names scripts, and quotes no rows. */
    private static boolean isOfMigration(Throwable e) {
        return e.getClass().getName().startsWith("org.flywaydb.");
    }

    private static String oneLine(@Nullable String message) {
        return Printable.withoutSecrets(
                String.valueOf(message).lines().map(String::strip).collect(Collectors.joining(" ")));
    }

    /** Returns the exception, its causes and their suppressed exceptions, in this order. */
    private static List<Throwable> chain(@Nullable Throwable e) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable each = e; each != null && chain.size() < MOST_CAUSES; each = Errors.cause(each)) {
            add(chain, each);
            for (SQLException next = nextOf(each);
                    next != null && chain.size() < MOST_CAUSES;
                    next = next.getNextException()) {
                add(chain, next);
            }
        }
        return chain;
    }

    private static void add(List<Throwable> chain, Throwable e) {
        if (chain.stream().noneMatch(each -> each == e)) {
            chain.add(e);
        }
    }

    private static @Nullable SQLException nextOf(Throwable e) {
        return e instanceof SQLException found ? found.getNextException() : null;
    }
}

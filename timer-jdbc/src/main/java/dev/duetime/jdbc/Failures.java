package dev.duetime.jdbc;

import dev.duetime.StoreException;
import dev.duetime.store.CollisionException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns what drivers throw into {@link StoreException}s that carry no bound value, neither in their messages nor in
 * those of their causes: drivers quote rows and parameters, which may be payload.
 *
 * <p>An error of the data itself is told by its codes alone. Of any other error the first line is kept; PostgreSQL's
 * details and MariaDB's dump of the statement are on the following ones.
 */
final class Failures {
    /** Classes of SQLSTATE whose errors quote data: data exception, integrity violation, triggers, check option. */
    private static final Set<String> OF_DATA = Set.of("22", "23", "09", "44", "P0", "38", "39");

    /** Classes of SQLSTATE of what a constraint or a trigger refuses. */
    private static final Set<String> REFUSALS = Set.of("22", "23", "27", "09", "38", "39", "44", "45", "P0");

    private static final int H2_TRIGGER_FAILED = 90044;

    /** SQLSTATE of "something else", also of data. */
    private static final String GENERAL = "HY000";

    private Failures() {}

    static StoreException of(String operation, Object subject, Exception e) {
        List<SQLException> all = chain(e);
        return new StoreException(operation, subject, all.isEmpty() ? e : withoutValues(all.get(0)));
    }

    /** As above, but tells a collision with another transaction from other failures. */
    static StoreException of(Dialect dialect, String operation, Object subject, Exception e) {
        StoreException told = of(operation, subject, e);
        return any(e, each -> dialect.collision(each) != Collision.NONE)
                ? new CollisionException(operation, subject, told.getCause() == null ? told : told.getCause())
                : told;
    }

    /** Returns whether the condition holds for the exception, one of its causes or of those that came with it. */
    static boolean any(Throwable e, Predicate<SQLException> condition) {
        return chain(e).stream().anyMatch(condition);
    }

    /** Returns whether the database answered, and refused what was to be written because of what it is. */
    static boolean isRefusal(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return REFUSALS.contains(state.substring(0, Math.min(2, state.length())))
                || e.getErrorCode() == H2_TRIGGER_FAILED;
    }

    /** Returns an exception that says the same, with the same codes and stack trace but without quoting data. */
    static SQLException withoutValues(SQLException e) {
        SQLException told = new SQLException(text(e), e.getSQLState(), e.getErrorCode());
        told.setStackTrace(e.getStackTrace());
        Throwable cause = e.getCause();
        if (cause != null && !quotesData(e) && chain(cause).isEmpty()) {
            told.initCause(cause);
        }
        return told;
    }

    private static String text(SQLException e) {
        String codes =
                "%s, SQLSTATE %s, code %d".formatted(e.getClass().getSimpleName(), e.getSQLState(), e.getErrorCode());
        String message = e.getMessage();
        return message == null || quotesData(e)
                ? codes
                : message.lines().findFirst().orElse("") + " (" + codes + ")";
    }

    private static boolean quotesData(SQLException e) {
        String state = e.getSQLState();
        return state != null
                && (state.equals(GENERAL) || OF_DATA.contains(state.substring(0, Math.min(2, state.length()))));
    }

    private static List<SQLException> chain(@Nullable Throwable e) {
        List<SQLException> chain = new ArrayList<>();
        for (Throwable each = e; each != null && chain.size() < 100; each = each.getCause()) {
            for (Throwable next = each; next instanceof SQLException found; next = found.getNextException()) {
                chain.add(found);
            }
        }
        return chain;
    }
}

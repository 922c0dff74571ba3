package dev.duetime.jdbc.internal.row;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Printable;
import dev.duetime.recurrence.CatchUp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One stored row, as far as it can be read. Others can write rows as well: by hand, or with a newer version.
 *
 * @param timer the timer as far as it can be read
 * @param problem why the rest cannot be read, without its content; null if all can
 */
public record StandingRow(StoredTimer timer, @Nullable String problem) {
    /** The columns whose texts statements look for. */
    private static final List<TimerColumn> COMPARED = List.of(
            TimerColumn.TYPE,
            TimerColumn.CORRELATION_ID,
            TimerColumn.PARALLEL_KEY,
            TimerColumn.CORRELATION_KEY,
            TimerColumn.STEP);

    public static StandingRow of(ResultSet row) throws SQLException {
        return of(row, TimerRows.key(row));
    }

    public static StandingRow of(ResultSet row, TimerKey key) throws SQLException {
        String problem = null;
        Map<String, String> headers = Map.of();
        try {
            headers = HeadersJson.read(TimerColumn.HEADERS.text(row), TimerColumn.TRACE.text(row));
        } catch (IllegalArgumentException e) {
            problem = String.valueOf(Errors.message(e));
        }
        for (TimerColumn column : COMPARED) {
            if (!column.isWhole(row)) {
                problem = column.columnName() + " must be UTF-8 but was not";
            }
        }
        String state = TimerColumn.STATE.text(row);
        if (!isKnown(state)) {
            problem = "state must be one of this version but was " + Printable.quoted(state, 255);
        }
        @Nullable String catchUpName = TimerColumn.CATCH_UP.text(row);
        CatchUp catchUp = catchUp(catchUpName);
        if (catchUp == null && catchUpName != null) {
            problem = "catch_up must be ALL, LATEST or NONE but was " + Printable.quoted(catchUpName, 255);
        }
        StoredTimer timer = TimerRows.timer(row, key, state(state), headers, catchUp);
        return problem == null ? new StandingRow(timer, null) : new StandingRow(timer.unreadable(problem), problem);
    }

    /** Returns the catch-up of a row; null if this version does not know it. */
    private static @Nullable CatchUp catchUp(@Nullable String column) {
        for (CatchUp each : CatchUp.values()) {
            if (each.name().equals(column)) {
                return each;
            }
        }
        return null;
    }

    /** Returns the state of a row. An unknown state counts as dead: the row is kept and not changed. */
    public static TimerState state(String column) {
        return isKnown(column) ? TimerState.valueOf(column) : TimerState.DEAD;
    }

    /** Returns whether this version knows a state. */
    public static boolean isKnown(String column) {
        for (TimerState state : TimerState.values()) {
            if (state.name().equals(column)) {
                return true;
            }
        }
        return false;
    }
}

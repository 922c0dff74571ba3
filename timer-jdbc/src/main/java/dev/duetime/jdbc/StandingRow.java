package dev.duetime.jdbc;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.Printable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Is one row as far as it can be read. Others can write rows as well: by hand, or as a newer version does.
 *
 * @param timer what is shown of it
 * @param problem why not all of it can be read, without its content; null if it can
 */
record StandingRow(StoredTimer timer, @Nullable String problem) {

    static StandingRow of(ResultSet row) throws SQLException {
        return of(row, TimerRows.key(row));
    }

    static StandingRow of(ResultSet row, TimerKey key) throws SQLException {
        String problem = null;
        Map<String, String> headers = Map.of();
        try {
            headers = HeadersJson.read(TimerColumn.HEADERS.text(row));
        } catch (IllegalArgumentException e) {
            problem = String.valueOf(e.getMessage());
        }
        String state = TimerColumn.STATE.text(row);
        if (!isKnown(state)) {
            problem = "state must be one of this version but was " + Printable.quoted(state, 255);
        }
        StoredTimer timer = TimerRows.timer(row, key, state(state), headers);
        return problem == null ? new StandingRow(timer, null) : new StandingRow(timer.unreadable(problem), problem);
    }

    /** Returns the state of a row; one that this version does not know is dead to it: left alone, and kept. */
    static TimerState state(String column) {
        return isKnown(column) ? TimerState.valueOf(column) : TimerState.DEAD;
    }

    private static boolean isKnown(String column) {
        for (TimerState state : TimerState.values()) {
            if (state.name().equals(column)) {
                return true;
            }
        }
        return false;
    }
}

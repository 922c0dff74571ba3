package dev.duetime.jdbc.internal.row;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.internal.Errors;
import dev.duetime.internal.timer.TimerContents;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a row after its other columns, because it is large.
 *
 * @param generation the generation of the row when this was read
 * @param payload its payload
 * @param headers its headers; none if they cannot be read
 * @param failure its last failure
 * @param problem why the headers cannot be read, without their content; null if they can
 */
public record LargeContent(
        long generation,
        Payload payload,
        Map<String, String> headers,
        @Nullable Failure failure,
        @Nullable String problem) {

    /** Reads a row of the statement that reads large contents. */
    public static LargeContent of(ResultSet row) throws SQLException {
        Map<String, String> headers = Map.of();
        String problem = null;
        try {
            headers = HeadersJson.read(row.getString("headers"), row.getString("trace"));
        } catch (IllegalArgumentException e) {
            problem = String.valueOf(Errors.message(e));
        }
        String error = row.getString("error");
        return new LargeContent(
                row.getLong("generation"),
                Payload.wrap(row.getBytes("payload")),
                headers,
                error == null
                        ? null
                        : new Failure(
                                error,
                                TimerRows.instant(row, "first_failed_at"),
                                TimerRows.instant(row, "last_failed_at")),
                problem);
    }

    /** Returns a timer with this content. */
    StoredTimer of(StoredTimer timer) {
        return new StoredTimer(
                timer.key(),
                timer.shard(),
                TimerContents.with(timer.content(), payload, headers),
                timer.state(),
                timer.generation(),
                timer.attempt(),
                timer.wakeAt(),
                timer.registeredAt(),
                timer.settledAt(),
                timer.previousAt(),
                failure);
    }
}

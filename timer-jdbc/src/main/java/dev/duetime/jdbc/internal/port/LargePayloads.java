package dev.duetime.jdbc.internal.port;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.row.DueRow;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** A reader of the payloads that are too large to be read with the due rows. Thread-safe. */
final class LargePayloads {
    /**
     * The largest number of parts of the statement. Smaller numbers are rounded up to a power of two, so that there are
     * few different texts.
     */
    private static final int MOST = 64;

    private final SqlFiles sql;

    LargePayloads(SqlFiles sql) {
        this.sql = sql;
    }

    /** Returns the rows with their payloads. Rows that were rescheduled or ended in the meantime are left out. */
    List<DueRow> complete(Handle handle, List<DueRow> rows) {
        List<StoredTimer> missing = rows.stream()
                .filter(row -> row.leftOutBytes() > 0)
                .map(row -> Objects.requireNonNull(row.timer()))
                .toList();
        if (missing.isEmpty()) {
            return rows;
        }
        Map<TimerKey, Read> payloads = new HashMap<>();
        for (int i = 0; i < missing.size(); i += MOST) {
            read(handle, missing.subList(i, Math.min(missing.size(), i + MOST)), payloads);
        }
        List<DueRow> complete = new ArrayList<>(rows.size());
        for (DueRow row : rows) {
            DueRow whole = row.leftOutBytes() > 0 ? whole(row, payloads) : row;
            if (whole != null) {
                complete.add(whole);
            }
        }
        return complete;
    }

    private static @Nullable DueRow whole(DueRow row, Map<TimerKey, Read> payloads) {
        StoredTimer timer = Objects.requireNonNull(row.timer());
        Read read = payloads.remove(timer.key());
        return read == null || read.generation != timer.generation() ? null : row.with(read.payload);
    }

    private void read(Handle handle, List<StoredTimer> timers, Map<TimerKey, Read> into) {
        int parts = Integer.highestOneBit(2 * timers.size() - 1);
        DriverStatement.Binder binder = (statement, position, parameter) -> {
            TimerKey key =
                    timers.get(Math.min(parameter.number(), timers.size() - 1)).key();
            statement.setString(
                    position,
                    switch (parameter.name()) {
                        case "tenantId" -> key.tenantId();
                        case "timerId" -> key.timerId();
                        default -> key.scope();
                    });
        };
        sql.driver("payloads", parts)
                .query(
                        handle,
                        binder,
                        row -> into.put(
                                new TimerKey(row.getString(1), row.getString(2), row.getString(3)),
                                new Read(row.getLong(4), Payload.wrap(row.getBytes(5)))));
    }

    private record Read(long generation, Payload payload) {}
}

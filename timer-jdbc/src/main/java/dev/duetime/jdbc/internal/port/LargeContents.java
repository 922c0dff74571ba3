package dev.duetime.jdbc.internal.port;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.row.DueRow;
import dev.duetime.jdbc.internal.row.LargeContent;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** A reader of what is too large to be read with the due rows: payloads, headers and errors. Thread-safe. */
final class LargeContents {
    /**
     * The largest number of parts of the statement. Smaller numbers are rounded up to a power of two, so that there are
     * few different texts.
     */
    private static final int MOST = 64;

    /** Each part of the key in parts of the statement that are not needed: no timer has such a key. */
    private static final String NO_KEY = "";

    private final SqlFiles sql;

    LargeContents(SqlFiles sql) {
        this.sql = sql;
    }

    /** Returns the rows with their contents. Rows that were rescheduled or ended in the meantime are left out. */
    List<DueRow> complete(Handle handle, List<DueRow> rows) {
        List<TimerKey> large = rows.stream()
                .filter(DueRow::isLarge)
                .map(row -> Objects.requireNonNull(row.timer()).key())
                .toList();
        if (large.isEmpty()) {
            return rows;
        }
        Map<TimerKey, LargeContent> contents = new HashMap<>();
        for (int i = 0; i < large.size(); i += MOST) {
            read(handle, large.subList(i, Math.min(large.size(), i + MOST)), contents);
        }
        List<DueRow> complete = new ArrayList<>(rows.size());
        for (DueRow row : rows) {
            DueRow whole = row.isLarge() ? whole(row, contents) : row;
            if (whole != null) {
                complete.add(whole);
            }
        }
        return complete;
    }

    private static @Nullable DueRow whole(DueRow row, Map<TimerKey, LargeContent> contents) {
        StoredTimer timer = Objects.requireNonNull(row.timer());
        LargeContent read = contents.remove(timer.key());
        return read == null || read.generation() != timer.generation() ? null : row.with(read);
    }

    private void read(Handle handle, List<TimerKey> keys, Map<TimerKey, LargeContent> into) {
        int parts = Integer.highestOneBit(2 * keys.size() - 1);
        DriverStatement.Binder binder = (statement, position, parameter) -> {
            boolean isPadding = parameter.number() >= keys.size();
            statement.setString(position, isPadding ? NO_KEY : part(keys.get(parameter.number()), parameter.name()));
        };
        sql.driver("large_contents", parts).query(handle, binder, row -> {
            TimerKey key = TimerRows.keyOrNull(row);
            if (key != null) {
                into.put(key, LargeContent.of(row));
            }
            return key != null;
        });
    }

    private static String part(TimerKey key, String parameter) {
        return switch (parameter) {
            case "tenantId" -> key.tenantId();
            case "timerId" -> key.timerId();
            default -> key.scope();
        };
    }
}

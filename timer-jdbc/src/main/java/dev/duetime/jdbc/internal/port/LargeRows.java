package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.TimerVersion;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The limit for one transaction of a database that keeps what it writes in the memory of this process. */
final class LargeRows {
    /** Such a database takes several times the size of the rows. */
    private static final long MOST_BYTES = 8 * 1024 * 1024;

    private static final int PART_OF_HEAP = 64;
    private static final long BYTES = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);

    private LargeRows() {}

    /** Returns how many timers, from the first one on, are small enough together; at least one. */
    static int fitting(Handle handle, SqlFiles sql, List<TimerVersion> timers) {
        long bytes = 0;
        for (int i = 0; i < timers.size(); i++) {
            bytes += bytes(handle, sql, timers.get(i).key());
            if (bytes > BYTES) {
                return Math.max(1, i);
            }
        }
        return timers.size();
    }

    /** Returns the size of a row; 0 if it is gone. */
    private static long bytes(Handle handle, SqlFiles sql, TimerKey key) {
        return handle.createQuery(sql.text("row_bytes"))
                .bind("tenantId", key.tenantId())
                .bind("timerId", key.timerId())
                .bind("scope", key.scope())
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    /** Returns rows of these sizes as numbers of rows that are small enough together; at least one row each. */
    static List<Integer> parts(List<Long> sizes) {
        List<Integer> parts = new ArrayList<>();
        int rows = 0;
        long bytes = 0;
        for (long size : sizes) {
            if (rows > 0 && bytes + size > BYTES) {
                parts.add(rows);
                rows = 0;
                bytes = 0;
            }
            rows++;
            bytes += size;
        }
        if (rows > 0) {
            parts.add(rows);
        }
        return parts;
    }
}

package dev.duetime.jdbc;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/** H2 2.2 and later, embedded or as a server. */
final class H2Dialect implements Dialect {
    private static final String DUPLICATE_KEY = "23505";
    private static final int DEADLOCK = 40001;
    private static final int LOCK_TIMEOUT = 50200;
    private static final int CONCURRENT_UPDATE = 90131;
    private static final Traits EMBEDDED = new Traits(4, false, false);
    private static final Traits SERVER = new Traits(64, false, false);

    private final SqlFiles sql = new SqlFiles("h2");
    private final Traits traits;

    H2Dialect(String url) {
        traits = url.startsWith("jdbc:h2:tcp:") || url.startsWith("jdbc:h2:ssl:") ? SERVER : EMBEDDED;
    }

    @Override
    public SqlFiles sql() {
        return sql;
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public ScheduleStatements schedules() {
        return new ScheduleByLocking(sql, false);
    }

    @Override
    public SettleStatements settlements() {
        return new SettleByBatch(sql);
    }

    @Override
    public Collision collision(SQLException e) {
        if (DUPLICATE_KEY.equals(e.getSQLState())) {
            return Collision.TAKEN_KEY;
        }
        return switch (e.getErrorCode()) {
            case DEADLOCK, LOCK_TIMEOUT, CONCURRENT_UPDATE -> Collision.GAVE_WAY;
            default -> Collision.NONE;
        };
    }

    @Override
    public void begin(Handle handle, boolean joined) {
        // READ COMMITTED, the default, is what the statements need.
    }
}

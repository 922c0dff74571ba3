package dev.duetime.jdbc;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/** PostgreSQL 12 and later. A batch is one statement that takes an array for each column. */
final class PostgresDialect implements Dialect {
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final Traits TRAITS = new Traits(64, true, true);

    private final SqlFiles sql = new SqlFiles("postgres");

    @Override
    public SqlFiles sql() {
        return sql;
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public ScheduleStatements schedules() {
        return new ScheduleByUpsert(sql);
    }

    @Override
    public SettleStatements settlements() {
        return new SettleByArrays(sql);
    }

    @Override
    public Collision collision(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return switch (state) {
            case UNIQUE_VIOLATION -> Collision.TAKEN_KEY;
            case SERIALIZATION_FAILURE, DEADLOCK -> Collision.GAVE_WAY;
            default -> Collision.NONE;
        };
    }

    @Override
    public void begin(Handle handle, boolean joined) {
        // READ COMMITTED, the default, is what the statements need; under a stricter level they give way more often.
    }
}

package dev.duetime.jdbc.internal.dialect;

import dev.duetime.internal.Errors;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.write.ScheduleByLocking;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.jdbc.internal.write.SettleByBatch;
import dev.duetime.jdbc.internal.write.SettleStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** SQLite 3.42 and later. There is one writer at a time: a transaction with the write lock needs no other lock. */
final class SqliteDialect implements Dialect {
    private static final int PRIMARY_CODE = 0xFF;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int CONSTRAINT = 19;
    private static final Set<String> TAKEN_KEYS =
            Set.of("[SQLITE_CONSTRAINT_PRIMARYKEY]", "[SQLITE_CONSTRAINT_UNIQUE]", "[SQLITE_CONSTRAINT_ROWID]");
    /** A longer wait does no harm, because nobody else could write anyway. An interrupt takes effect after the wait. */
    private static final long BUSY_MILLIS = 1_000;

    private static final Traits TRAITS = new Traits(4, false, false, false, true);

    private final SqlFiles sql;

    SqliteDialect(TableNames names) {
        sql = new SqlFiles("sqlite").on(names);
    }

    @Override
    public boolean indexesRecurring() {
        return true;
    }

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
        return new ScheduleByLocking(sql, false, false);
    }

    @Override
    public SettleStatements settlements(boolean briefly) {
        return new SettleByBatch(sql);
    }

    @Override
    public boolean locksRows() {
        return false;
    }

    @Override
    public Restore limitWaits(Connection connection) throws SQLException {
        return LockWaitSetting.limit(connection, sql, BUSY_MILLIS);
    }

    @Override
    public Collision collision(SQLException e) {
        return switch (e.getErrorCode() & PRIMARY_CODE) {
            case BUSY, LOCKED -> Collision.LOCKED;
            case CONSTRAINT -> isTakenKey(e) ? Collision.TAKEN_KEY : Collision.NONE;
            default -> Collision.NONE;
        };
    }

    /**
     * The driver reports one code for all constraints and for triggers that raise. Its message begins with the kind.
     */
    private static boolean isTakenKey(SQLException e) {
        String message = String.valueOf(Errors.message(e));
        return TAKEN_KEYS.stream().anyMatch(message::startsWith);
    }

    /** It ends the transaction itself if it finds the disk full. */
    @Override
    public boolean hasEndedTransaction(Exception failure) {
        return String.valueOf(Errors.message(failure)).contains("no transaction is active");
    }

    @Override
    public void begin(Handle handle, boolean joined) {
        handle.execute(sql.text("take_write_lock"));
    }
}

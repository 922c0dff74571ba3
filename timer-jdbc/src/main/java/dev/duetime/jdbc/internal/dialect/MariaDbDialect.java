package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.SettleByBatch;
import dev.duetime.jdbc.internal.write.SettleByJson;
import dev.duetime.jdbc.internal.write.SettleStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/** MariaDB 10.6 and later. A batch is one round trip of many statements. */
final class MariaDbDialect extends InnoDbDialect {
    private static final int CHANGED_SINCE_LAST_READ = 1020;
    private static final Pattern BULK = Pattern.compile("[?&]useBulkStmts=(true|1)", Pattern.CASE_INSENSITIVE);

    MariaDbDialect(TableNames names) {
        super(new SqlFiles("mariadb").on(names), "in_transaction");
    }

    @Override
    public void check(Connection connection) throws SQLException {
        Dialect.refuseEmptyAsNull(connection, sql, "EMPTY_STRING_IS_NULL of sql_mode");
        String url = connection.getMetaData().getURL();
        if (url != null && BULK.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "useBulkStmts must not be set for the connections of Duetime but is: the driver then does not tell"
                            + " how many rows each statement of a batch matched");
        }
        refuseSession(connection);
    }

    @Override
    public SettleStatements settlements(boolean briefly) {
        return new SettleByJson(sql, new SettleByBatch(sql));
    }

    @Override
    public <T> T briefly(Handle handle, Transactions.Work<T> work) throws SQLException {
        return limited(handle, "wait_briefly", work);
    }

    /**
     * Without any wait: the setting is in seconds, and each statement of a batch would wait. The work must not skip
     * locked rows: MariaDB 10.11 then fails with error 1180.
     */
    @Override
    public <T> T brieflyInTotal(Handle handle, Transactions.Work<T> work) throws SQLException {
        return limited(handle, "wait_never", work);
    }

    private <T> T limited(Handle handle, String limit, Transactions.Work<T> work) throws SQLException {
        try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute(sql.text(limit));
            Restore setting = () -> statement.execute(sql.text("wait_as_before"));
            return setting.after(handle, work);
        }
    }

    @Override
    public boolean executesBatchesToTheEnd() {
        return true;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_WAIT_TIMEOUT;
    }

    @Override
    public Collision collision(SQLException e) {
        return switch (e.getErrorCode()) {
            case DUPLICATE_KEY -> Collision.TAKEN_KEY;
            case LOCK_WAIT_TIMEOUT -> Collision.LOCKED;
            case CHANGED_SINCE_LAST_READ -> Collision.GAVE_WAY;
            default -> SERIALIZATION_FAILURE.equals(e.getSQLState()) ? Collision.GAVE_WAY : Collision.NONE;
        };
    }
}

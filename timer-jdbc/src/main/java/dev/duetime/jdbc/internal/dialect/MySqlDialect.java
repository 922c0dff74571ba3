package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.SettleByBatch;
import dev.duetime.jdbc.internal.write.SettleByJson;
import dev.duetime.jdbc.internal.write.SettleStatements;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;

/**
 * MySQL 8.0 and later. Its statements are those of MariaDB, but for the few that MySQL does not know.
 *
 * <p>The shortest wait for a lock that MySQL can be set to is one second. So a batch locks all of its rows by one
 * statement before it writes them, and waits once. Its writes can still meet a range that another transaction has
 * locked, and then wait for a second. No batch goes on after such a wait.
 */
final class MySqlDialect extends InnoDbDialect {
    private static final int OLDEST_VERSION = 8;
    private static final int LOCKED_NOW = 3572;

    private static final String UTF_8 = "utf8mb4";

    private final boolean sendsBatchesWhole;

    /**
     * Returns the dialect.
     *
     * @throws IllegalArgumentException if the server is older than MySQL 8
     */
    static MySqlDialect of(DatabaseMetaData about, TableNames names) throws SQLException {
        if (about.getDatabaseMajorVersion() < OLDEST_VERSION) {
            throw new IllegalArgumentException(
                    "MySQL must have version 8.0 or later but has " + about.getDatabaseProductVersion());
        }
        return new MySqlDialect(MySqlBatches.areSentWhole(about), names);
    }

    private MySqlDialect(boolean sendsBatchesWhole, TableNames names) {
        super(SqlFiles.like("mariadb", "mysql").on(names), "survives_timeout");
        this.sendsBatchesWhole = sendsBatchesWhole;
    }

    /** The bytes of a key are those that the session sends. In two encodings, nodes would miss each other's keys. */
    @Override
    public void check(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.text("session_encoding"))) {
            row.next();
            String encoding = row.getString(1);
            if (!UTF_8.equals(encoding)) {
                throw new IllegalArgumentException("character_set_connection must be utf8mb4 but is " + encoding
                        + "; change characterEncoding or connectionCollation of the URL");
            }
        }
        refuseSession(connection);
    }

    @Override
    public SettleStatements settlements(boolean briefly) {
        return new SettleByJson(sql, new SettleByBatch(sql, briefly ? "lock_settled" : null));
    }

    @Override
    public <T> T briefly(Handle handle, Transactions.Work<T> work) throws SQLException {
        return limited(handle.getConnection(), "wait_briefly", "wait_as_before").after(handle, work);
    }

    /** Without the setting, MySQL's driver runs all statements of a batch one by one, each with a wait of its own. */
    @Override
    public boolean endsBatches() {
        return !sendsBatchesWhole;
    }

    /** A wait takes a second, and a batch has hundreds of writes. */
    @Override
    public int mostWaitsForGaps() {
        return 2;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_WAIT_TIMEOUT || e.getErrorCode() == LOCKED_NOW;
    }

    /** Two round trips: MySQL cannot set the limit for one statement. */
    @Override
    public Restore limitWaits(Connection connection) throws SQLException {
        return limited(connection, "wait_briefly_in_call", "wait_as_before_call");
    }

    private Restore limited(Connection connection, String limit, String restore) throws SQLException {
        execute(connection, limit);
        return () -> {
            if (!connection.isClosed()) {
                execute(connection, restore);
            }
        };
    }

    private void execute(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.text(name));
        }
    }

    @Override
    public Collision collision(SQLException e) {
        return switch (e.getErrorCode()) {
            case DUPLICATE_KEY -> Collision.TAKEN_KEY;
            case LOCK_WAIT_TIMEOUT, LOCKED_NOW -> Collision.LOCKED;
            default -> SERIALIZATION_FAILURE.equals(e.getSQLState()) ? Collision.GAVE_WAY : Collision.NONE;
        };
    }
}

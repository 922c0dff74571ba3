package dev.duetime.jdbc.internal.schema;

import dev.duetime.internal.Errors;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The check that the tables are there in the version of this library, for a store that does not migrate. */
public final class Tables {
    /** The class of an unknown table or column, and of a missing right. */
    private static final String REFUSED = "42";

    private Tables() {}

    /**
     * Reads nothing from each table, version by version.
     *
     * @param withFlyway whether the store would migrate if it were told to
     * @throws IllegalStateException if a table or column is missing or may not be read; its message names the first
     *     version that is missing, its file, and what to do
     * @throws SQLException if the database failed
     */
    public static void check(Connection connection, SqlFiles sql, boolean withFlyway) throws SQLException {
        for (int version = 1; version <= MigrationFiles.NAMES.size(); version++) {
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery(sql.text("tables", upTo(version))).close();
            } catch (SQLException e) {
                // SQLite has no SQLSTATE.
                if (e.getSQLState() == null || e.getSQLState().startsWith(REFUSED)) {
                    throw missing(sql, version, withFlyway, e);
                }
                throw e;
            }
        }
    }

    private static Set<String> upTo(int version) {
        return IntStream.rangeClosed(2, version).mapToObj(each -> "v" + each).collect(Collectors.toSet());
    }

    private static IllegalStateException missing(SqlFiles sql, int version, boolean withFlyway, SQLException e) {
        SQLException reason = Failures.withoutValues(e);
        return new IllegalStateException(
                "tables of timers must have version %d but version %d could not be read: run %s/%s/%s%s (%s prints it),"
                                .formatted(
                                        MigrationFiles.NAMES.size(),
                                        version,
                                        MigrationFiles.FOLDER,
                                        sql.dialect(),
                                        MigrationFiles.NAMES.get(version - 1),
                                        version == MigrationFiles.NAMES.size() ? "" : " and the files after it",
                                        PrintCommand.call(sql, version - 1))
                        + " grant SELECT, INSERT, UPDATE and DELETE on the tables, or "
                        + (withFlyway
                                ? "open the store with migrate(true): "
                                : "add Flyway to the class path (" + FlywayModule.of(sql.dialect()) + "): ")
                        + Errors.message(reason),
                reason);
    }
}

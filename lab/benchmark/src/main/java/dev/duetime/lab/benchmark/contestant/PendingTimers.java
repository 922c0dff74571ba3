package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.database.Indexes;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tables filled with timers for later. The database itself copies the one timer that exists, each time with another
 * random key. {@code given.k} is the key, {@code given.n} counts.
 *
 * @param tables the tables of a timer, in the order in which rows can be inserted
 */
public record PendingTimers(List<Table> tables) {
    /** A column of {@code timer_schedules} that the database itself fills. */
    private static final String COMPUTED = "waiting_key";

    private static final int PART = 500_000;

    /** From so many rows on, PostgreSQL creates the indexes at the end. */
    private static final int MANY = 5_000_000;

    private static final String DEEP_RECURSION = " /*+ SET_VAR(cte_max_recursion_depth = %d) */".formatted(2 * PART);

    private static final String RECURSIVE_SERIES =
            "WITH RECURSIVE s (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d)";

    /** MariaDB's and MySQL's own UUIDs are in the order of time. */
    private static final String RANDOM_UUID =
            "insert(insert(insert(insert(md5(concat(rand(), :n)), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-')";

    /**
     * One of the tables of a timer.
     *
     * @param name its name
     * @param changed the columns that are not copied as they are, and what they get
     */
    public record Table(String name, Map<String, String> changed) {}

    public void fill(Connection connection, DatabaseKind kind, int count) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Table table : tables) {
                statement.execute(
                        "CREATE TABLE template_of_%1$s AS SELECT * FROM %1$s LIMIT 1".formatted(table.name()));
            }
            statement.execute("CREATE TABLE given (n int, k varchar(36))");
            List<Indexes> dropped = new ArrayList<>();
            if (kind == DatabaseKind.POSTGRES && count >= MANY) {
                for (Table table : tables) {
                    dropped.add(Indexes.drop(connection, table.name()));
                }
            }
            for (int from = 0; from < count; from += PART) {
                statement.execute("DELETE FROM given");
                statement.execute(series(kind, from + 1, Math.min(from + PART, count)));
                for (Table table : tables) {
                    statement.execute(copy(connection, table));
                }
            }
            for (Indexes each : dropped) {
                each.create(connection);
            }
            statement.execute("DROP TABLE given");
            for (Table table : tables) {
                statement.execute("DROP TABLE template_of_" + table.name());
            }
        }
    }

    private static String copy(Connection connection, Table table) throws SQLException {
        List<String> columns = new ArrayList<>();
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            ResultSetMetaData names = statement
                    .executeQuery("SELECT * FROM " + table.name() + " WHERE 1 = 0")
                    .getMetaData();
            for (int i = 1; i <= names.getColumnCount(); i++) {
                String column = names.getColumnName(i);
                if (column.equalsIgnoreCase(COMPUTED)) {
                    continue;
                }
                columns.add(column);
                values.add(table.changed().getOrDefault(column.toLowerCase(Locale.ROOT), "template." + column));
            }
        }
        return "INSERT INTO %s (%s) SELECT %s FROM template_of_%s AS template CROSS JOIN given"
                .formatted(table.name(), String.join(", ", columns), String.join(", ", values), table.name());
    }

    private static String series(DatabaseKind kind, int from, int to) {
        String insert = "INSERT%s INTO given (n, k) ".formatted(kind == DatabaseKind.MYSQL ? DEEP_RECURSION : "");
        return insert
                + switch (kind) {
                    case POSTGRES ->
                        "SELECT n, gen_random_uuid() FROM generate_series(%d, %d) AS s (n)".formatted(from, to);
                    case H2 -> "SELECT x, CAST(random_uuid() AS varchar) FROM system_range(%d, %d)".formatted(from, to);
                    case MARIADB ->
                        "SELECT seq, %s FROM seq_%d_to_%d".formatted(RANDOM_UUID.replace(":n", "seq"), from, to);
                    case MYSQL ->
                        (RECURSIVE_SERIES + " SELECT n, %s FROM s").formatted(from, to, RANDOM_UUID.replace(":n", "n"));
                    case SQLITE ->
                        (RECURSIVE_SERIES
                                        + " SELECT n, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-'"
                                        + " || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-'"
                                        + " || hex(randomblob(6))) FROM s")
                                .formatted(from, to);
                };
    }
}

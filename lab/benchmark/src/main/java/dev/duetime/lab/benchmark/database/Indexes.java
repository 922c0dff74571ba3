package dev.duetime.lab.benchmark.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The indexes of a table of PostgreSQL, which are dropped while it is filled with many millions of rows. With random
 * keys, an index that is larger than the buffers is written to disk page by page, again and again.
 */
public final class Indexes {
    private static final String ALL = """
            SELECT i.indexname, i.indexdef, c.conname, pg_get_constraintdef(c.oid)
            FROM pg_indexes AS i
            LEFT JOIN pg_constraint AS c
                ON c.conname = i.indexname AND c.conrelid = CAST('%1$s' AS regclass) AND c.contype = 'p'
            WHERE i.schemaname = current_schema() AND i.tablename = '%1$s'
            """;

    private final List<String> created = new ArrayList<>();

    private Indexes() {}

    /** Drops the indexes of a table, and its primary key. */
    public static Indexes drop(Connection connection, String table) throws SQLException {
        Indexes indexes = new Indexes();
        List<String> dropped = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ALL.formatted(table))) {
            while (rows.next()) {
                if (rows.getString(3) == null) {
                    dropped.add("DROP INDEX " + rows.getString(1));
                    indexes.created.add(rows.getString(2));
                } else {
                    dropped.add("ALTER TABLE %s DROP CONSTRAINT %s".formatted(table, rows.getString(3)));
                    indexes.created.add("ALTER TABLE %s ADD CONSTRAINT %s %s"
                            .formatted(table, rows.getString(3), rows.getString(4)));
                }
            }
        }
        for (String each : dropped) {
            Sql.execute(connection, each);
        }
        return indexes;
    }

    /** Creates them again. */
    public void create(Connection connection) throws SQLException {
        Sql.execute(connection, "SET maintenance_work_mem = '1GB'");
        for (String each : created) {
            Sql.execute(connection, each);
        }
    }
}

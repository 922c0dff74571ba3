package dev.duetime.lab.console;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of many timers on PostgreSQL: 40 % are scheduled on three queues over the next weeks, 10 % are dead in five
 * groups, the others have ended. 20 to-do lists have a tenth as many items.
 */
final class LargeTable {
    private static final int RECURRING = 1_000;

    private LargeTable() {}

    /** Returns whether the table has no timers. */
    static boolean isEmpty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT NOT EXISTS (SELECT 1 FROM timer_schedules)")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** Fills the tables, whose indexes are built afterwards because that is faster. */
    static void fill(Connection connection, int timers) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = off");
            statement.execute("SET maintenance_work_mem = '512MB'");
            List<String> indexes = indexes(statement);
            statement.execute("ALTER TABLE timer_schedules DROP CONSTRAINT timer_schedules_pkey");
            statement.execute(timers(timers));
            statement.execute("ALTER TABLE timer_schedules ADD PRIMARY KEY (tenant_id, timer_id, scope)");
            statement.execute("INSERT INTO timer_todo_items (list, item_id, overdue_at)"
                    + " SELECT 'list-' || n % 20, 'item-' || n, " + now() + " + (n - " + timers / 40
                    + ") * 1000000::bigint"
                    + " FROM generate_series(1, " + timers / 10 + ") AS n");
            for (String each : indexes) {
                statement.execute(each);
            }
            statement.execute("VACUUM ANALYZE timer_schedules");
            statement.execute("VACUUM ANALYZE timer_todo_items");
        }
    }

    private static String now() {
        return "(extract(epoch FROM now()) * 1000000)::bigint";
    }

    private static List<String> indexes(Statement statement) throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname ="
                + " current_schema() AND tablename IN ('timer_schedules', 'timer_todo_items')"
                + " AND indexname NOT LIKE '%_pkey'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
                texts.add(rows.getString(2));
            }
        }
        for (String name : names) {
            statement.execute("DROP INDEX " + name);
        }
        return texts;
    }

    private static String timers(int timers) {
        return "INSERT INTO timer_schedules (tenant_id, timer_id, scope, queue, shard, due_at, wake_at, state,"
                + " generation, attempt, revision, rearm, type, payload, priority, correlation_id, recurrence,"
                + " catch_up, registered_at, settled_at, error, first_failed_at, last_failed_at)"
                + " SELECT 'tenant-' || n % 50, md5(n::text), '', (ARRAY['default', 'mail', 'reports'])[n % 3 + 1],"
                + " n / 3 % 64, due, CASE WHEN kind < 4 THEN due END,"
                + " (ARRAY['SCHEDULED', 'SCHEDULED', 'SCHEDULED', 'SCHEDULED', 'DEAD', 'REACHED', 'REACHED', 'REACHED',"
                + " 'CANCELLED', 'EXPIRED'])[kind + 1], n, CASE kind WHEN 4 THEN 3 ELSE 0 END, 0, false,"
                + " 'type-' || n % 7, decode(repeat('7b226e223a317d', 10), 'hex'), 0, 'order-' || n,"
                + " CASE WHEN kind < 4 AND n <= " + 10 * RECURRING + " AND n % 4 = 0 THEN 'day Europe/Berlin' END,"
                + " CASE WHEN kind < 4 AND n <= " + 10 * RECURRING + " AND n % 4 = 0 THEN 'LATEST' END,"
                + " due - 3600000000, CASE WHEN kind >= 4 THEN due END,"
                + " CASE kind WHEN 4 THEN 'java.lang.Error' || n % 5 || ': the ledger is closed' END,"
                + " CASE kind WHEN 4 THEN due END, CASE kind WHEN 4 THEN due END"
                + " FROM (SELECT n, n / 7 % 10 AS kind, " + now()
                + " + (CASE WHEN n / 7 % 10 < 4 THEN n % 1209600 + 86400 ELSE -(n % 604800) END)"
                + " * 1000000::bigint AS due"
                + " FROM generate_series(1, " + timers + ") AS n) AS numbered";
    }
}

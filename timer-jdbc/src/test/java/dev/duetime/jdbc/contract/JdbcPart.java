package dev.duetime.jdbc.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.store.NewTimer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** One chapter of what this store promises in addition to the contract of every store. Each test has new names. */
public abstract class JdbcPart {
    static final Instant NOW = Instant.parse("2031-05-06T07:08:09.123456Z");

    final JdbcScheduleStoreContract database;
    final String queue = "q-" + UUID.randomUUID();
    final String tenant = "t-" + UUID.randomUUID();

    JdbcPart(JdbcScheduleStoreContract database) {
        this.database = database;
    }

    final JdbcScheduleStore store() {
        return database.store();
    }

    final TimerKey key(String timerId) {
        return TimerKey.of(tenant, timerId);
    }

    final NewTimer timer(String timerId, String payload) {
        return timer(timerId, payload, Map.of());
    }

    final NewTimer timer(String timerId, String payload, Map<String, String> headers) {
        TimerContent content = new TimerContent(
                queue,
                NOW,
                null,
                "test",
                Payload.of(payload.getBytes(StandardCharsets.UTF_8)),
                headers,
                0,
                null,
                null,
                null,
                null,
                null,
                null);
        long generation = ThreadLocalRandom.current().nextLong(1L << 62);
        return new NewTimer(key(timerId), 0, content, generation, NOW, false);
    }

    /** Opens a pool on a new database; closed after the test. */
    final HikariDataSource newDatabase() {
        return database.pool(database.databases().create());
    }

    public static void execute(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the columns of the first row. */
    public static List<String> query(DataSource dataSource, String sql) {
        return List.of(rows(dataSource, sql).get(0).split("\\|", -1));
    }

    /** Returns the rows, each with its columns separated by bars. */
    public static List<String> rows(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    columns.add(String.valueOf(rows.getString(i)));
                }
                lines.add(String.join("|", columns));
            }
            return lines;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}

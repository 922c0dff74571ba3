package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.testkit.TimerKit;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite ends a transaction that finds the disk full, so that the driver's next commit fails for another reason. */
class SqliteFullDiskTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int LARGE = 500_000;

    @TempDir
    Path folder;

    @Test
    void aFullDiskIsNamedAndFreeSpaceIsUsedAgain() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + folder.resolve("timers") + "?journal_mode=WAL&transaction_mode=IMMEDIATE");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Limited disk = new Limited(pool);
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(disk)).build()) {
                kit.scheduler()
                        .schedule(Timer.after("waits", SECOND.multipliedBy(5)).build());

                disk.full = true;
                assertThatThrownBy(() -> kit.scheduler().schedule(large("refused")))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("database or disk is full");
                kit.advance(SECOND.multipliedBy(10));

                disk.full = false;
                assertThat(kit.scheduler().schedule(large("after")).outcome()).isEqualTo(ScheduleOutcome.CREATED);
                kit.advance(SECOND.multipliedBy(60));
                assertThat(state(kit, "waits")).isEqualTo(TimerState.REACHED);
                assertThat(state(kit, "after")).isEqualTo(TimerState.REACHED);
            }
        }
    }

    private static Timer large(String id) {
        return Timer.after(id, SECOND).payload("x".repeat(LARGE)).build();
    }

    private static TimerState state(TimerKit kit, String id) {
        return kit.store().find(TimerKey.of(id)).orElseThrow().state();
    }

    /** A pool whose connections may not let the file grow while the disk is full. */
    private static final class Limited extends DataSourceDecorator {
        private static final int NO_LIMIT = 1_000_000;

        volatile boolean full;

        Limited(DataSource pool) {
            super(pool);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            try (Statement statement = connection.createStatement()) {
                // SQLite takes the present size of the file instead of a smaller limit.
                statement.execute("PRAGMA max_page_count = " + (full ? 1 : NO_LIMIT));
            }
            return connection;
        }
    }
}

package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.PostgresDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rule that no call is lost when PostgreSQL takes the end of a wait for a cancellation. It does so when a statement
 * gets a lock just when its wait is over, and then waits for another lock.
 */
class CancelledStatementTest {
    private static final Instant LATER = Instant.parse("2099-01-01T00:00:00Z");
    private static final TimerKey KEY = TimerKey.of("cancelled");

    private PostgresDatabases databases;
    private HikariDataSource pool;
    private Scheduler scheduler;

    @BeforeEach
    void open() {
        databases = new PostgresDatabases();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(databases.create());
        config.setMaximumPoolSize(3);
        pool = new HikariDataSource(config);
        scheduler = Scheduler.builder().store(JdbcScheduleStore.of(pool)).build();
    }

    @AfterEach
    void close() {
        pool.close();
        databases.close();
    }

    /** A sequence counts also what is rolled back, so that the trigger knows which try it is. */
    private void cancelTries(int tries) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE tries");
            statement.execute("""
                    CREATE FUNCTION cancel_this() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                      IF nextval('tries') <= %d THEN
                        PERFORM pg_cancel_backend(pg_backend_pid());
                        PERFORM pg_sleep(60);
                      END IF;
                      RETURN NEW;
                    END $$""".formatted(tries));
            statement.execute("""
                    CREATE TRIGGER cancelling BEFORE INSERT ON timer_schedules
                    FOR EACH ROW EXECUTE FUNCTION cancel_this()""");
        }
    }

    @Test
    void aCallIsRepeated() throws SQLException {
        cancelTries(3);

        assertThat(scheduler.schedule(Timer.at(KEY, LATER).build()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(scheduler.find(KEY)).isPresent();
    }
}

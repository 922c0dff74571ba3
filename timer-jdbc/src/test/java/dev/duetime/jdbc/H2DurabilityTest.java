package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2DurabilityTest {

    @TempDir
    Path folder;

    @Test
    void anOpenedStoreWritesEachCommitToTheFileAtOnce() throws SQLException {
        try (HikariDataSource pool = FreshDatabases.pool("jdbc:h2:file:" + folder.resolve("timers"))) {
            assertThat(writeDelay(pool)).isPositive();

            JdbcScheduleStore.of(pool);

            assertThat(writeDelay(pool)).isZero();
        }
    }

    private static int writeDelay(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet settings = statement.executeQuery(
                        "SELECT setting_value FROM information_schema.settings WHERE setting_name = 'WRITE_DELAY'")) {
            assertThat(settings.next()).isTrue();
            return settings.getInt(1);
        }
    }
}

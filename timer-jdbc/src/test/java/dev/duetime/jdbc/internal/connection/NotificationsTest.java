package dev.duetime.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.jdbc.database.SilentHost;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rule that the connection for notifications is given back in bounded time, and as it was. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NotificationsTest {

    @Test
    void closingEndsThoughTheHostIsSilent() throws SQLException {
        try (PostgresDatabases databases = new PostgresDatabases();
                SilentHost host = new SilentHost(databases.create());
                HikariDataSource pool = FreshDatabases.pool(host.url())) {
            Notifications notifications = Objects.requireNonNull(Notifications.open(pool, new SqlFiles("postgres")));
            host.fallSilent();

            Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), notifications::close);
            host.hangUp(); // The pool would wait for the silent host, too.
        }
    }

    @Test
    void theConnectionIsGivenBackWithItsTimeLimit() throws SQLException {
        try (PostgresDatabases databases = new PostgresDatabases();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            pool.setMaximumPoolSize(1);
            Notifications notifications = Objects.requireNonNull(Notifications.open(pool, new SqlFiles("postgres")));

            notifications.close();

            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getNetworkTimeout()).isZero();
                assertThat(connection.getAutoCommit()).isTrue();
            }
        }
    }
}

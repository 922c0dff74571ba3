package dev.duetime.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.jdbc.database.RefusedStatements;
import dev.duetime.jdbc.database.SilentHost;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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
            Notifications notifications =
                    Objects.requireNonNull(Notifications.open(new CheckedDataSource(pool), new SqlFiles("postgres")));
            host.fallSilent();

            Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), notifications::close);
            host.hangUp(); // The pool would wait for the silent host, too.
        }
    }

    /** The driver would keep the messages that arrive on such a connection. */
    @Test
    void aConnectionThatCannotBeUsedListensNoMore() throws SQLException {
        try (PostgresDatabases databases = new PostgresDatabases();
                HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(databases.create());
            pool.setMaximumPoolSize(1);
            pool.setAutoCommit(false);

            RefusedStatements refusing =
                    new RefusedStatements(pool, Pattern.compile("(?s).*current_schema.*"), "ask for the schema");
            assertThatThrownBy(() -> Notifications.open(new CheckedDataSource(refusing), new SqlFiles("postgres")))
                    .isInstanceOf(SQLException.class);

            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet channels = statement.executeQuery("SELECT pg_listening_channels()")) {
                assertThat(channels.next()).isFalse();
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }

    @Test
    void theConnectionIsGivenBackWithItsTimeLimit() throws SQLException {
        try (PostgresDatabases databases = new PostgresDatabases();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            pool.setMaximumPoolSize(1);
            Notifications notifications =
                    Objects.requireNonNull(Notifications.open(new CheckedDataSource(pool), new SqlFiles("postgres")));

            notifications.close();

            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getNetworkTimeout()).isZero();
                assertThat(connection.getAutoCommit()).isTrue();
            }
        }
    }
}

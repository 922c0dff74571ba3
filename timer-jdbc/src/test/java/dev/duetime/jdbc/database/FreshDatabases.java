package dev.duetime.jdbc.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStoreBuilder;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;

/** A supply of empty databases of one kind, removed when closed. */
public interface FreshDatabases extends AutoCloseable {
    /** As many connections as the races of the contract use, and one for a transaction around them. */
    int CONNECTIONS = 10;

    /** Builds that must not skip a database set this variable. */
    String REQUIRED = "DUETIME_TEST_REQUIRED";

    /** Returns the URL of a new, empty database. */
    String create();

    /** Does what the tables need before they are used, such as distributing them; nothing by default. */
    default void migrated(DataSource migrated) {}

    /** Opens a pool on one of the databases. */
    default HikariDataSource open(String url) {
        return pool(url);
    }

    /** Applies the settings that a store on one of the databases needs; none by default. */
    default JdbcScheduleStoreBuilder configured(JdbcScheduleStoreBuilder builder, DataSource opened) {
        return builder;
    }

    /** Returns what a store gets instead of a pool that a test uses; the pool itself by default. */
    default DataSource ofStore(DataSource opened) {
        return opened;
    }

    @Override
    void close();

    static String newName() {
        return "duetime_test_" + UUID.randomUUID().toString().replace('-', '_');
    }

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Duration.ofMinutes(1).toMillis());
        return new HikariDataSource(config);
    }

    /** Skips the test class, or fails it if all databases are required. */
    static RuntimeException missing(String message) {
        if (Boolean.parseBoolean(System.getenv(REQUIRED))) {
            throw new AssertionError(message);
        }
        return Assumptions.<RuntimeException>abort(message);
    }
}

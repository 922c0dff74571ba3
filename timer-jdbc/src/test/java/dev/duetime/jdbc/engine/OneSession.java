package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.FreshDatabases;

/** A pool of one connection to MariaDB or MySQL, whose statistics count what all calls did. */
record OneSession(HikariDataSource pool) implements AutoCloseable {

    /** Migrates a database and connects to it. */
    static OneSession of(String url) {
        try (HikariDataSource migrating = FreshDatabases.pool(url)) {
            assertThat(JdbcScheduleStore.of(migrating)).isNotNull();
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        return new OneSession(new HikariDataSource(config));
    }

    /** Returns how many entries of indexes a call reads, one after the other. */
    long readBy(Runnable call) {
        return countedBy("Handler_read_next", call);
    }

    /** Returns by how much a counter of the session grows during a call. */
    long countedBy(String counter, Runnable call) {
        long before = value(counter);
        call.run();
        return value(counter) - before;
    }

    private long value(String counter) {
        String row = JdbcPart.rows(pool, "SHOW SESSION STATUS LIKE '" + counter + "'")
                .get(0);
        return Long.parseLong(row.substring(row.lastIndexOf('|') + 1));
    }

    @Override
    public void close() {
        pool.close();
    }
}

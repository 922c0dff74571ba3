package dev.duetime.examples.timerservice;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/** A data source that cannot connect while it is broken. */
final class BreakableDataSource extends HikariDataSource {
    volatile boolean broken;

    BreakableDataSource(String url) {
        setJdbcUrl(url);
        setMaximumPoolSize(5);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (broken) {
            throw new SQLException("the database is away", "08001");
        }
        return super.getConnection();
    }
}

package dev.duetime.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts the connections that it hands out, each of which is a question to the database or more. */
public final class CountingDataSource extends DataSourceDecorator {
    private final AtomicInteger connections = new AtomicInteger();

    public CountingDataSource(DataSource target) {
        super(target);
    }

    public int connections() {
        return connections.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        connections.incrementAndGet();
        return super.getConnection();
    }
}

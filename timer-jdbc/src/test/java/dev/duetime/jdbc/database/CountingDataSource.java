package dev.duetime.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A data source that counts the connections that it gives out. Each of them makes one or more calls of the database.
 */
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

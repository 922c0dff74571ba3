package dev.duetime.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import javax.sql.DataSource;

/**
 * A data source that gives out connections until it is broken, as if the server was away, and again after it is
 * repaired.
 */
public final class BreakableDataSource extends DataSourceDecorator {
    private volatile boolean broken;

    public BreakableDataSource(DataSource target) {
        super(target);
    }

    public void breakDown() {
        broken = true;
    }

    public void repair() {
        broken = false;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (broken) {
            throw new SQLNonTransientConnectionException("connection refused", "08001");
        }
        return super.getConnection();
    }
}

package dev.duetime.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.H2Databases;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.sql.PlainJdbi;
import dev.duetime.jdbc.internal.sql.PlannedSize;
import dev.duetime.jdbc.internal.sql.TableNames;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The rule that each statement on the connection for leases has a limit of time, also the last one. */
class ReservedConnectionTest {
    private final List<String> calls = new ArrayList<>();

    @Test
    void itsSettingsAreRestoredBeforeTheLimitOfACallEnds() throws SQLException {
        try (H2Databases databases = new H2Databases();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            ReservedConnection reserved = new ReservedConnection(
                    new CheckedDataSource(new Watched(pool)),
                    dialect(pool),
                    connections -> PlainJdbi.on(connections, new PlannedSize(), false));
            reserved.run("test", "nothing", handle -> true);
            calls.clear();

            reserved.letGo();

            assertThat(calls).contains("createStatement").endsWith("setNetworkTimeout", "close");
        }
    }

    private static Dialect dialect(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Dialect.of(connection, null, TableNames.AS_WRITTEN);
        }
    }

    /** Notes the calls of its connections that the database or its driver must answer. */
    private final class Watched extends DataSourceDecorator {
        Watched(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                        if (!method.getName().equals("isClosed")) {
                            calls.add(method.getName());
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}

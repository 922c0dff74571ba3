package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.internal.dialect.H2Dialect;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.sql.TableNames;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what a transaction leaves behind if it could not be begun, for pools that reset nothing. */
class JdbcOwnTransactionTest {
    private final List<String> calls = new ArrayList<>();

    /** A data source that notes what is done with each connection. */
    private final class Noting extends DataSourceDecorator {
        private final boolean autoCommit;

        Noting(HikariDataSource target, boolean autoCommit) {
            super(target);
            this.autoCommit = autoCommit;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            connection.setAutoCommit(autoCommit);
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                        if (method.getName().equals("setAutoCommit")) {
                            calls.add("setAutoCommit " + arguments[0]);
                        } else if (method.getName().equals("close")) {
                            calls.add("close with autoCommit " + connection.getAutoCommit());
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionIsReturnedUnchangedIfBeginFails(boolean autoCommit) {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> JdbcOwnTransaction.begin(
                            new Noting(pool, autoCommit),
                            new H2Dialect(pool.getJdbcUrl(), TableNames.AS_WRITTEN),
                            new TodoRows(),
                            connections -> {
                                throw new IllegalStateException("nothing runs statements here");
                            }))
                    .withMessage("nothing runs statements here");

            assertThat(calls).doesNotContain("setAutoCommit " + !autoCommit);
            assertThat(calls).last().isEqualTo("close with autoCommit " + autoCommit);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }
}

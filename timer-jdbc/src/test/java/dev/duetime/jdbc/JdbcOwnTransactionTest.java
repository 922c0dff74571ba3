package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.internal.connection.CheckedDataSource;
import dev.duetime.jdbc.internal.dialect.H2Dialect;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.store.OwnTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what a transaction leaves behind if it could not be begun or ended, for pools that reset nothing. */
class JdbcOwnTransactionTest {
    private final List<String> calls = new ArrayList<>();
    /** What a method of a connection throws instead of its work, by the method's name. */
    private final Map<String, Throwable> failing = new HashMap<>();

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
                        if (failing.containsKey(method.getName())) {
                            throw failing.get(method.getName());
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @Test
    void anErrorWhileASettingIsRestoredKeepsNoConnection() {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore store = JdbcScheduleStore.of(new Noting(pool, true));
            OwnTransaction own = store.begin();
            own.waitBriefly();
            failing.put("createStatement", new OutOfMemoryError("a test"));

            own.close();

            assertThat(calls).last().isEqualTo("close with autoCommit true");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** To switch to auto-commit would commit what could not be rolled back. */
    @Test
    void aConnectionWhoseRollbackFailsIsGivenUp() {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore store = JdbcScheduleStore.of(new Noting(pool, true));
            OwnTransaction own = store.begin();
            calls.clear();
            failing.put("rollback", new SQLException("a test"));

            own.close();

            assertThat(calls).isNotEmpty().doesNotContain("setAutoCommit true");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** The user may have chosen the shortest wait. Then the store lets its transaction wait for longer. */
    @ParameterizedTest
    @CsvSource({
        "H2, SET LOCK_TIMEOUT 1, CALL LOCK_TIMEOUT()",
        "MARIADB, SET SESSION innodb_lock_wait_timeout = 1, SELECT @@innodb_lock_wait_timeout",
        "MYSQL, SET SESSION innodb_lock_wait_timeout = 1, SELECT @@innodb_lock_wait_timeout"
    })
    void theShortestWaitForLocksIsRestored(Database kind, String shortest, String setting) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(databases.create());
            pool.setMaximumPoolSize(2);
            pool.setConnectionInitSql(shortest);
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            try (OwnTransaction own = store.begin()) {
                own.waitBriefly();
                own.waitLonger();
                own.commit();
            }

            assertThat(JdbcPart.query(pool, setting)).containsExactly("1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionIsReturnedUnchangedIfBeginFails(boolean autoCommit) {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> JdbcOwnTransaction.begin(
                            new CheckedDataSource(new Noting(pool, autoCommit)),
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

package dev.duetime.jdbc.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.H2Databases;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.jdbc.internal.write.UpsertByRows;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of how the statements for distributed PostgreSQL are chosen. */
class DistributedDialectTest {

    @Test
    void aSingleServerIsRecognised() throws SQLException {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                Connection connection = pool.getConnection()) {
            assertThat(namesTenants(Dialect.of(connection, null, TableNames.AS_WRITTEN)))
                    .isFalse();
            assertThat(namesTenants(Dialect.of(connection, true, TableNames.AS_WRITTEN)))
                    .isTrue();
        }
    }

    @Test
    void theExtensionMeansDistributed() throws SQLException {
        assertThat(namesTenants(Dialect.of(postgres(found(true)), null, TableNames.AS_WRITTEN)))
                .isTrue();
        assertThat(namesTenants(Dialect.of(postgres(found(false)), null, TableNames.AS_WRITTEN)))
                .isFalse();
    }

    @Test
    void theUsersSettingWins() throws SQLException {
        assertThat(namesTenants(Dialect.of(postgres(found(true)), false, TableNames.AS_WRITTEN)))
                .isFalse();
        assertThat(namesTenants(Dialect.of(postgres(found(false)), true, TableNames.AS_WRITTEN)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"42501", "42P01"})
    void aCatalogueThatCannotBeReadMeansOneServer(String state) throws SQLException {
        assertThat(namesTenants(Dialect.of(postgres(new SQLException("refused", state)), null, TableNames.AS_WRITTEN)))
                .isFalse();
    }

    @Test
    void aBrokenConnectionIsNotTakenForAnAnswer() {
        SQLException broken = new SQLException("broken", "08006");

        assertThatThrownBy(() -> Dialect.of(postgres(broken), null, TableNames.AS_WRITTEN))
                .isSameAs(broken);
    }

    @Test
    void onlyPostgresqlMayBeDistributed() {
        try (FreshDatabases databases = new H2Databases();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            JdbcScheduleStore.builder(pool).distributed(true).build())
                    .withMessage("distributed must be false but on PostgreSQL but was true on H2");
            assertThat(JdbcScheduleStore.builder(pool).distributed(false).build())
                    .isNotNull();
        }
    }

    @Test
    void aBatchIsFewStatementsOfFewSizes() {
        List<Integer> sizes = IntStream.rangeClosed(1, 10_000)
                .map(UpsertByRows::ofOneStatement)
                .distinct()
                .boxed()
                .toList();

        assertThat(sizes).hasSize(32).contains(1, 2, 3, 5, 448, 512).allMatch(size -> size <= 512);
        assertThat(UpsertByRows.ofOneStatement(500)).isEqualTo(448);
        assertThat(UpsertByRows.ofOneStatement(52)).isEqualTo(48);
    }

    private static boolean namesTenants(Dialect dialect) {
        return dialect.sql().text("settle_deleted").contains(":tenants");
    }

    private static ResultSet found(boolean found) {
        return answering(ResultSet.class, Map.of("next", found));
    }

    /** Returns a connection to a PostgreSQL whose catalogue gives this answer. */
    private static Connection postgres(Object catalogue) {
        DatabaseMetaData about = answering(DatabaseMetaData.class, Map.of("getDatabaseProductName", "PostgreSQL"));
        Statement statement = answering(Statement.class, Map.of("executeQuery", catalogue));
        return answering(
                Connection.class,
                Map.of(
                        "getMetaData",
                        about,
                        "createStatement",
                        statement,
                        "getAutoCommit",
                        true,
                        "getTransactionIsolation",
                        Connection.TRANSACTION_READ_COMMITTED));
    }

    /**
     * Returns an object that answers some methods, by throwing if the answer is an exception, and does nothing else.
     */
    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    @Nullable Object answer = answers.get(method.getName());
                    if (answer instanceof SQLException failure) {
                        throw failure;
                    }
                    return answer;
                }));
    }
}

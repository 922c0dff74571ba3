package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.sql.Connection;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the changelog for users of Liquibase. */
class LiquibaseTest {

    private static void update(DataSource dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            liquibase.database.Database database =
                    DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection));
            new Liquibase("dev/duetime/jdbc/changelog.xml", new ClassLoaderResourceAccessor(), database).update("");
        }
    }

    private static void assertThatAStoreOpens(DataSource pool) {
        JdbcScheduleStore opened =
                JdbcScheduleStore.builder(pool).migrate(false).build();
        assertThat(opened.leases().open("q", OptionalInt.of(2))).isEqualTo(2);
        assertThat(JdbcPart.query(pool, "SELECT count(*) FROM timer_schedules_readable"))
                .containsExactly("0");
    }

    @ParameterizedTest
    @EnumSource
    void aStoreOpensOnTheTablesThatLiquibaseCreates(Database kind) throws Exception {
        try (FreshDatabases databases = kind.open();
                var pool = FreshDatabases.pool(databases.create())) {
            update(pool);
            update(pool);

            assertThatAStoreOpens(pool);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tablesThatFlywayCreatedAreLeftAsTheyAre(Database kind) throws Exception {
        try (FreshDatabases databases = kind.open();
                var pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore.of(pool).leases().open("q", OptionalInt.of(2));

            update(pool);

            assertThat(JdbcPart.query(pool, "SELECT count(*) FROM timer_shards"))
                    .containsExactly("2");
        }
    }

    /** These databases commit each statement. The others undo a change set that broke off. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL", "H2"})
    void whatAChangeSetThatBrokeOffLeftIsCompleted(Database kind) throws Exception {
        try (FreshDatabases databases = kind.open();
                var pool = FreshDatabases.pool(databases.create())) {
            update(pool);
            for (String missing : List.of(
                    "VIEW timer_schedules_readable",
                    "TABLE timer_todo_items",
                    "TABLE timer_hints",
                    "TABLE DATABASECHANGELOG")) {
                JdbcPart.execute(pool, "DROP " + missing);
            }

            update(pool);

            assertThatAStoreOpens(pool);
            assertThat(JdbcPart.query(pool, "SELECT count(*) FROM timer_todo_items"))
                    .containsExactly("0");
        }
    }
}

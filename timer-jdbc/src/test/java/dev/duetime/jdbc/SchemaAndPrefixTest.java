package dev.duetime.jdbc;

import static dev.duetime.jdbc.contract.JdbcPart.execute;
import static dev.duetime.jdbc.contract.JdbcPart.query;
import static dev.duetime.jdbc.database.FreshDatabases.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ScheduleStore;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the schema and the prefix of a store: which are refused, and what they do to the names in the database. */
class SchemaAndPrefixTest {

    private static JdbcScheduleStoreBuilder builder(HikariDataSource pool) {
        return JdbcScheduleStore.builder(pool);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "1st", "a b", "a\"b", "a`b", "a'b", "a;b", "a.b", "a:b", "-a", "ä", "a\nb"})
    void aSchemaWithOtherCharactersIsRefused(String schema) {
        try (HikariDataSource pool = new HikariDataSource()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(pool).schema(schema))
                    .withMessage("schema must consist of letters of ASCII, digits, underscores and hyphens, and begin"
                            + " with no digit or hyphen, but was " + schema);
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {" ", "1st_", "a b", "a\"b", "a`b", "a'b", "a;b", "a.b", "a:b", "a-b", "ä_"})
    void aPrefixWithOtherCharactersIsRefused(String prefix) {
        try (HikariDataSource pool = new HikariDataSource()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(pool).tablePrefix(prefix))
                    .withMessage("tablePrefix must consist of letters of ASCII, digits and underscores, and begin with"
                            + " no digit or hyphen, but was " + prefix);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, PostgreSQL, 31, 63",
        "MARIADB, MariaDB, 32, 64",
        "MYSQL, MySQL, 32, 64",
        "H2, H2, 224, 256",
        "SQLITE, SQLite, 224, 256"
    })
    void theLongestPrefixWorksAndALongerOneIsRefused(Database kind, String product, int most, int mostOfAName) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create())) {
            String tooLong = "p".repeat(most + 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(pool).tablePrefix(tooLong).build())
                    .withMessage(
                            "tablePrefix must have at most %d characters on %s, where a name has at most %d, but has %d: %s",
                            most, product, mostOfAName, most + 1, tooLong);

            String longest = "p".repeat(most);
            JdbcScheduleStore opened = builder(pool).tablePrefix(longest).build();
            builder(pool).tablePrefix(longest).build();

            assertThat(opened.leases().open("q", OptionalInt.of(2))).isEqualTo(2);
            assertThat(query(pool, "SELECT count(*) FROM " + longest + "timer_shards"))
                    .containsExactly("2");
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, PostgreSQL, 63", "MARIADB, MariaDB, 64", "MYSQL, MySQL, 64", "H2, H2, 256"})
    void aLongSchemaIsRefused(Database kind, String product, int most) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create())) {
            String tooLong = "s".repeat(most + 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(pool).schema(tooLong).build())
                    .withMessageContaining(
                            "schema must have at most %d characters on %s but has %d: ", most, product, most + 1)
                    .withMessageContaining(tooLong.substring(0, 60));
        }
    }

    @Test
    void onSqliteASchemaIsRefused() {
        try (FreshDatabases databases = Database.SQLITE.open();
                HikariDataSource pool = pool(databases.create())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(pool).schema("timers").build())
                    .withMessage("schema must not be set on SQLite, which has none, but was timers: set tablePrefix");
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoPrefixesInOneSchemaDoNotSeeEachOther(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create())) {
            JdbcScheduleStore first = builder(pool).tablePrefix("a_").build();
            JdbcScheduleStore second = builder(pool).tablePrefix("b_").build();

            first.leases().open("q", OptionalInt.of(2));

            assertThat(second.leases().open("q", OptionalInt.of(3))).isEqualTo(3);
            assertThat(query(pool, "SELECT count(*) FROM a_timer_shards")).containsExactly("2");
            assertThat(query(pool, "SELECT count(*) FROM b_timer_shards")).containsExactly("3");
        }
    }

    @Test
    void theTablesMayBeInASchemaAndHaveAPrefix() {
        String schema = FreshDatabases.newName();
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource dataSource = pool(databases.create())) {
            execute(dataSource, "CREATE SCHEMA " + schema);
            ScheduleStore store = JdbcScheduleStore.builder(dataSource)
                    .schema(schema)
                    .tablePrefix("acme_")
                    .build();

            assertThat(store.find(TimerKey.of("none"))).isEmpty();
            assertThat(query(dataSource, "SELECT count(*) FROM " + schema + ".acme_timer_shards"))
                    .containsExactly("0");
            execute(dataSource, "DROP SCHEMA " + schema + " CASCADE");
        }
    }

    @Test
    void onH2ASchemaIsFoundInUpperCaseUnlessThereIsOneAsWritten() {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource dataSource = pool(databases.create())) {
            execute(dataSource, "CREATE SCHEMA timers");
            ScheduleStore store = JdbcScheduleStore.builder(dataSource)
                    .schema("timers")
                    .tablePrefix("acme_")
                    .build();
            execute(dataSource, "CREATE SCHEMA \"exact\"");
            builder(dataSource).schema("exact").build();

            assertThat(store.find(TimerKey.of("none"))).isEmpty();
            assertThat(query(dataSource, "SELECT count(*) FROM timers.acme_timer_shards"))
                    .containsExactly("0");
            assertThat(query(dataSource, "SELECT count(*) FROM \"exact\".timer_shards"))
                    .containsExactly("0");
        }
    }
}

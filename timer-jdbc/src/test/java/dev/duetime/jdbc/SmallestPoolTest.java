package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of opening a store on a pool that has one connection. */
class SmallestPoolTest {

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aPoolThatIsTooSmallToMigrateIsRefused(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create(), 1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcScheduleStore.of(pool))
                    .withMessage("dataSource must have at least 2 connections to migrate but has 1: enlarge the pool,"
                            + " or migrate by another data source (migrateBy)");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "MARIADB"})
    void aPoolOfOneOpens(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create(), 1)) {
            assertThatNoException().isThrownBy(() -> JdbcScheduleStore.of(pool));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPoolOfTwoOpensAndThenOneIsEnough(Database kind) {
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();
            try (HikariDataSource pool = pool(url, 2)) {
                assertThatNoException().isThrownBy(() -> JdbcScheduleStore.of(pool));
            }
            try (HikariDataSource pool = pool(url, 1)) {
                assertThatNoException()
                        .isThrownBy(() ->
                                JdbcScheduleStore.builder(pool).migrate(false).build());
            }
        }
    }

    private static HikariDataSource pool(String url, int size) {
        HikariDataSource pool = FreshDatabases.pool(url);
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(Duration.ofSeconds(2).toMillis());
        return pool;
    }
}

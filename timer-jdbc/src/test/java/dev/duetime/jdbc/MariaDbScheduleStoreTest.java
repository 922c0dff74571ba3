package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MariaDbScheduleStoreTest extends JdbcScheduleStoreContract {
    MariaDbScheduleStoreTest() {
        super(new MariaDbDatabases());
    }

    @Override
    String refusingHeaders() {
        return "ALTER TABLE timer_schedules MODIFY headers INT";
    }

    @Test
    void thePollReadsKeysFromTheIndexAloneThenRowsByTheirKeys() {
        assertThat(planOfPoll("EXPLAIN", "mariadb", 16).lines().filter(line -> line.contains("|timer_schedules|")))
                .hasSize(17)
                .allMatch(line -> line.contains("|eq_ref|PRIMARY|PRIMARY|")
                        || (line.contains("|timer_schedules_wake|") && line.contains("Using index")));
    }

    @Test
    void theSessionKeepsItsIsolationLevel() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(dataSource().getJdbcUrl());
            pool.setMaximumPoolSize(2);
            JdbcScheduleStore.of(pool).leases().open("isolation", OptionalInt.of(1));

            assertThat(JdbcPart.rows(pool, "SELECT @@session.tx_isolation")).containsExactly("REPEATABLE-READ");
        }
    }

    @Test
    void theZoneOfTheSessionDoesNotChangeTheClock() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(dataSource().getJdbcUrl());
            pool.setConnectionInitSql("SET time_zone = '+09:00'");
            Instant here = store().leases().now();

            assertThat(JdbcScheduleStore.of(pool).leases().now()).isBetween(here, here.plus(Duration.ofMinutes(30)));
        }
    }

    @Test
    void aDriverThatDoesNotCountIsRefused() {
        HikariDataSource pool = pool(dataSource().getJdbcUrl() + "&useBulkStmts=true");
        JdbcScheduleStore bulk = JdbcScheduleStore.of(pool);
        bulk.leases().open("bulk", OptionalInt.of(2));

        assertThatIllegalStateException()
                .isThrownBy(() -> bulk.leases().acquire("bulk", List.of(0, 7), "node", Instant.EPOCH, Instant.EPOCH))
                .withMessageContaining("useBulkStmts");
        assertThat(store().leases().view("bulk").leases())
                .allSatisfy(lease -> assertThat(lease.owner()).isNull());
    }
}

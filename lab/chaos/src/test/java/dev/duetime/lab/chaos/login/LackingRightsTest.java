package dev.duetime.lab.chaos.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcScheduleStoreBuilder;
import dev.duetime.lab.chaos.server.OwnServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule that the error of a login without a right names the right, and that the login works once it has it. */
@Tag("full")
class LackingRightsTest {

    private static void schedules(JdbcScheduleStore store) {
        try (Scheduler scheduler = Scheduler.builder().store(store).build()) {
            assertThat(scheduler
                            .schedule(Timer.after("a", Duration.ofHours(1)).build())
                            .outcome())
                    .isEqualTo(ScheduleOutcome.CREATED);
        }
    }

    @Test
    void onPostgresTheGrantIsEnoughAfterwards() {
        try (OwnServer server = OwnServer.postgres()) {
            GrantedLogins.execute(
                    server.url(),
                    List.of(
                            "CREATE ROLE migrator LOGIN",
                            "CREATE SCHEMA timers",
                            "GRANT USAGE ON SCHEMA timers TO migrator"));
            try (HikariDataSource pool = GrantedLogins.pool(
                    server.url().replace("user=postgres", "user=migrator") + "&currentSchema=timers")) {
                assertThatThrownBy(() -> JdbcScheduleStore.of(pool))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("permission denied for schema timers");

                GrantedLogins.execute(server.url(), List.of("GRANT CREATE ON SCHEMA timers TO migrator"));
                schedules(JdbcScheduleStore.of(pool));
            }
            GrantedLogins.execute(
                    server.url(), List.of("CREATE ROLE runner LOGIN", "GRANT USAGE ON SCHEMA timers TO runner"));
            try (HikariDataSource pool = GrantedLogins.pool(
                    server.url().replace("user=postgres", "user=runner") + "&currentSchema=timers")) {
                JdbcScheduleStoreBuilder opening =
                        JdbcScheduleStore.builder(pool).migrate(false);
                assertThatThrownBy(opening::build)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("grant SELECT, INSERT, UPDATE and DELETE on the tables")
                        .hasMessageContaining("permission denied for table timer_");

                GrantedLogins.execute(
                        server.url(),
                        List.of(
                                "DELETE FROM timers.timer_schedules",
                                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA timers TO runner"));
                schedules(opening.build());
            }
        }
    }

    /** Its statements are committed one by one, so that the second start meets what the first one left. */
    @Test
    void onMariaDbTheGrantIsEnoughAfterwards() {
        try (OwnServer server = OwnServer.mariaDb()) {
            GrantedLogins.execute(
                    server.url(),
                    List.of(
                            "CREATE DATABASE timers",
                            "CREATE USER migrator@localhost IDENTIFIED BY 'secret'",
                            "GRANT CREATE, ALTER, INDEX, SELECT, INSERT, UPDATE, DELETE ON timers.* TO"
                                    + " migrator@localhost"));
            String url = server.url().replace("/mysql?user=root", "/timers?user=migrator&password=secret");
            for (int start = 1; start <= 2; start++) {
                try (HikariDataSource pool = GrantedLogins.pool(url)) {
                    assertThatThrownBy(() -> JdbcScheduleStore.of(pool))
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining("CREATE VIEW command denied");
                }
            }

            GrantedLogins.execute(server.url(), List.of("GRANT CREATE VIEW ON timers.* TO migrator@localhost"));
            // Open sessions do not notice a new right.
            try (HikariDataSource pool = GrantedLogins.pool(url)) {
                schedules(JdbcScheduleStore.of(pool));
            }
        }
    }
}

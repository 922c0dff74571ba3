package dev.duetime.lab.chaos.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.chaos.server.OwnServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that a MySQL server which takes no writes is told as such. Its errors have no SQLSTATE of their own. */
class MySqlReadOnlyTest {

    private static Timer timer(String id) {
        return Timer.after(id, Duration.ofHours(1)).build();
    }

    @Test
    void theReasonNamesTheOptionOfTheServer() {
        try (OwnServer server = OwnServer.mySql()) {
            GrantedLogins.execute(server.url(), List.of("CREATE DATABASE timers"));
            String url = server.url().replaceFirst("/mysql\\?", "/timers?");
            try (HikariDataSource pool = GrantedLogins.pool(url);
                    Scheduler scheduler = Scheduler.builder()
                            .store(JdbcScheduleStore.of(pool))
                            .build()) {
                scheduler.schedule(timer("before"));

                GrantedLogins.execute(server.url(), List.of("SET GLOBAL super_read_only = ON"));
                assertThatThrownBy(() -> scheduler.schedule(timer("super")))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("--super-read-only");
                GrantedLogins.execute(
                        server.url(), List.of("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF"));

                assertThat(scheduler.schedule(timer("after")).generation()).isPositive();
            }
        }
    }
}

package dev.duetime.lab.chaos.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.chaos.server.OwnServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule that nodes continue by themselves after a PostgreSQL server refused writes or was away. */
@Tag("full")
class PostgresOutageTest {
    private static final long LIMIT_SECONDS = 60;

    private final BlockingQueue<String> delivered = new LinkedBlockingQueue<>();
    private OwnServer server;
    private HikariDataSource pool;
    private Scheduler scheduler;

    @BeforeEach
    void start() {
        server = OwnServer.postgres();
        pool = GrantedLogins.pool(server.url());
        pool.setConnectionTimeout(Duration.ofSeconds(2).toMillis());
        scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .publisher(batch -> batch.stream().map(Envelope::key).forEach(key -> delivered.add(key.timerId())))
                .build();
        scheduler.start();
        schedule("before");
        awaitDelivery("before");
    }

    @AfterEach
    void stop() {
        scheduler.close();
        pool.close();
        server.close();
    }

    private void schedule(String id) {
        assertThat(scheduler.schedule(Timer.at(id, Instant.now()).build()).outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
    }

    private void awaitDelivery(String id) {
        try {
            assertThat(delivered.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(id);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void set(String setting) {
        GrantedLogins.execute(
                server.url() + "&options=-c%20default_transaction_read_only=off",
                List.of("ALTER SYSTEM " + setting, "SELECT pg_reload_conf()"));
    }

    @Test
    void aServerThatWasReadOnlyIsWrittenToAgain() {
        schedule("due");
        awaitDelivery("due");
        scheduler.schedule(Timer.after("waits", Duration.ofSeconds(3)).build());
        set("SET default_transaction_read_only = on");
        // A session notices the change with its next statement, or the one after it.
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        scheduler.schedule(
                                Timer.after("refused-" + i, Duration.ofHours(1)).build());
                    }
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("read-only transaction");

        set("RESET default_transaction_read_only");

        awaitDelivery("waits");
        schedule("after");
        awaitDelivery("after");
        assertThat(scheduler.admin().health().isHealthy(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void aServerThatCrashedAndCameBackIsUsedAgain() {
        scheduler.schedule(Timer.after("waits", Duration.ofSeconds(3)).build());

        server.crash();
        assertThatThrownBy(() -> schedule("refused")).isInstanceOf(StoreException.class);
        server.revive();

        awaitDelivery("waits");
        schedule("after");
        awaitDelivery("after");
    }

    @Test
    void aDatabaseThatIsSerializableByDefaultIsServed() {
        GrantedLogins.execute(
                server.url(), List.of("ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'"));
        try (HikariDataSource strict = GrantedLogins.pool(server.url());
                Scheduler other =
                        Scheduler.builder().store(JdbcScheduleStore.of(strict)).build()) {
            List<Timer> timers = IntStream.range(0, 500)
                    .mapToObj(i -> Timer.at("many-" + i, Instant.now()).build())
                    .toList();

            assertThat(other.scheduleAll(timers)).hasSize(500);
            for (int i = 0; i < 500; i++) {
                assertThat(poll()).startsWith("many-");
            }
        }
    }

    private String poll() {
        try {
            return String.valueOf(delivered.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

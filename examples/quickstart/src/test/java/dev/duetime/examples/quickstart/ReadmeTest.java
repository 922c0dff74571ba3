package dev.duetime.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The blocks of Java that the documentation shows. */
@Timeout(60)
class ReadmeTest {
    private final HikariDataSource dataSource = database();
    private final Broker broker = new Broker();

    @AfterEach
    void close() {
        dataSource.close();
    }

    @Test
    void theShortestUsefulProgramSchedulesAndFires() throws InterruptedException {
        Scheduler scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(dataSource))
                .publisher(batch -> batch.forEach(envelope -> broker.send(envelope.id(), envelope.toJson())))
                .build();
        scheduler.start();

        // tenant and id; the same key again means the same timer
        scheduler.schedule(TimerKey.of("acme", "order-17"), Duration.ofMinutes(15), new PaymentTimeout(17));

        assertThat(scheduler.find(TimerKey.of("acme", "order-17"))).isPresent();
        scheduler.schedule(Timer.at("soon", Instant.EPOCH).build());
        assertThat(broker.sent.poll(30, TimeUnit.SECONDS)).contains("\"timerId\":\"soon\"");
        scheduler.close();
    }

    @Test
    void aTimerIsScheduledInTheCallersTransaction() throws SQLException {
        try (Scheduler scheduler = scheduler(dataSource);
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            scheduler
                    .in(JdbcTransaction.of(connection))
                    .schedule(TimerKey.of("acme", "order-17"), Duration.ofMinutes(15), null);
            connection.rollback();

            assertThat(scheduler.find(TimerKey.of("acme", "order-17"))).isEmpty();
        }
    }

    private static Scheduler scheduler(DataSource dataSource) {
        return Scheduler.builder().store(JdbcScheduleStore.of(dataSource)).build();
    }

    private static HikariDataSource database() {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:h2:mem:readme");
        return database;
    }

    record PaymentTimeout(int orderId) {}

    private static final class Broker {
        private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

        void send(String id, String json) {
            sent.add(id + " " + json);
        }
    }
}

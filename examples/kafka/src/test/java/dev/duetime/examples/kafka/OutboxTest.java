package dev.duetime.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.PrintStream;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OutboxTest {
    private static final PrintStream OUT = System.out;
    private static final int ORDERS = 20;
    private static final int EVENTS = 5;
    /** Half of the polling interval: what is not found by the loop itself takes longer. */
    private static final Duration PROMPT = Duration.ofMillis(2_500);

    private final OwnBroker broker = OwnBroker.running();
    private final HikariDataSource database = new HikariDataSource();
    private String topic;
    private KafkaPublisher publisher;
    private Scheduler scheduler;
    private Outbox outbox;
    private Orders orders;

    @BeforeEach
    void open() throws Exception {
        topic = broker.topic(4);
        publisher = new KafkaPublisher(broker.client(), topic);
        database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(database))
                .publisher(publisher)
                .build();
        scheduler.start();
        outbox = new Outbox(scheduler);
        orders = new Orders(database, outbox);
        orders.createTable();
    }

    @AfterEach
    void close() {
        scheduler.close();
        publisher.close();
        database.close();
    }

    @Test
    void anEventOfATransactionThatRollsBackIsNeverPublished() throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.add(connection, "order-1", "order-changed", new Orders.OrderChanged("order-1", 1));
            connection.rollback();
        }
        orders.change("order-2");

        Await.until("the other event", () -> !broker.read(topic).isEmpty());
        assertThat(broker.read(topic)).extracting(each -> each.key()).containsExactly("order-2");
        assertThat(scheduler.query(TimerQuery.all())).hasSize(1);
    }

    @Test
    void eventsHaveDifferentDueTimesThoughTheClockStands() throws Exception {
        Instant ahead = scheduler.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MICROS);
        assertThat(outbox.later(ahead)).isEqualTo(ahead);
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.add(connection, "order-1", "order-changed", new Orders.OrderChanged("order-1", 1));
            outbox.add(connection, "order-1", "order-changed", new Orders.OrderChanged("order-1", 2));
            connection.commit();
        }

        assertThat(scheduler.query(TimerQuery.all()))
                .extracting(StoredTimer::dueAt)
                .containsExactlyInAnyOrder(ahead.plus(1, ChronoUnit.MICROS), ahead.plus(2, ChronoUnit.MICROS));
    }

    @Test
    void eventsOfAKeyArriveInTheOrderOfTheirTransactionsAndSoon() throws Exception {
        Map<String, Instant> committed = new HashMap<>();
        for (int version = 1; version <= EVENTS; version++) {
            for (int order = 0; order < ORDERS; order++) {
                orders.change("order-" + order);
                committed.put("order-" + order + " " + version, scheduler.now());
            }
        }
        Await.until(
                "all events",
                () -> scheduler
                        .query(TimerQuery.all().state(TimerState.SCHEDULED).limit(1))
                        .isEmpty());

        Map<String, List<Integer>> versions = new HashMap<>();
        List<Duration> lateness = broker.read(topic).stream()
                .map(each -> {
                    Envelope envelope = Envelope.fromJson(each.value());
                    int version = envelope.payload(Orders.OrderChanged.class).version();
                    versions.merge(each.key(), List.of(version), OutboxTest::joined);
                    return Duration.between(
                            committed.get(each.key() + " " + version),
                            envelope.event().reachedAt());
                })
                .sorted()
                .toList();
        assertThat(versions).hasSize(ORDERS);
        assertThat(versions.values())
                .containsOnly(IntStream.rangeClosed(1, EVENTS).boxed().toList());
        Duration median = lateness.get(lateness.size() / 2);
        OUT.printf("from commit to publish: median %s, longest %s%n", median, lateness.get(lateness.size() - 1));
        assertThat(median).isLessThan(PROMPT);
    }

    /** Adds a version that has not come before; a repeat is allowed. */
    private static List<Integer> joined(List<Integer> some, List<Integer> more) {
        return Stream.concat(some.stream(), more.stream()).distinct().toList();
    }
}

package dev.duetime.examples.kafka;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A program that changes five orders twice, with an event in the transaction of each change, schedules their payment
 * timeouts, and prints what arrives. {@code KAFKA_BOOTSTRAP_SERVERS} is the cluster; 127.0.0.1:9092 by default.
 */
public final class OrderEvents {
    private static final PrintStream OUT = System.out;
    private static final String TOPIC = "duetime.events";
    private static final int PARTITIONS = 4;
    private static final int ORDERS = 5;
    private static final int CHANGES = 2;

    /** The payload of a timer. */
    record PaymentTimeout(String orderId) {}

    private OrderEvents() {}

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        Map<String, Object> cluster =
                Map.of("bootstrap.servers", System.getenv().getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:9092"));
        createTopic(cluster);
        try (HikariDataSource database = new HikariDataSource();
                KafkaPublisher publisher = new KafkaPublisher(cluster, TOPIC)) {
            database.setJdbcUrl("jdbc:h2:mem:orders");
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(database))
                    .publisher(publisher)
                    .build()) {
                scheduler.start();
                Orders orders = new Orders(database, new Outbox(scheduler));
                orders.createTable();
                for (int i = 1; i <= ORDERS * CHANGES; i++) {
                    orders.change("order-" + (1 + i % ORDERS));
                }
                for (int i = 1; i <= ORDERS; i++) {
                    String orderId = "order-" + i;
                    scheduler.schedule(Timer.after(orderId, Duration.ofSeconds(1))
                            .type("payment-timeout")
                            .parallelKey(orderId)
                            .payload(new PaymentTimeout(orderId))
                            .build());
                }
                print(cluster, ORDERS * CHANGES + ORDERS);
            }
        }
    }

    private static void createTopic(Map<String, Object> cluster) throws Exception {
        try (Admin admin = Admin.create(cluster)) {
            if (!admin.listTopics().names().get().contains(TOPIC)) {
                admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                        .all()
                        .get();
            }
        }
    }

    /** Prints new records until so many different envelopes have come. Offsets are committed after the printing. */
    private static void print(Map<String, Object> cluster, int expected) {
        Map<String, Object> config = new HashMap<>(cluster);
        config.put("group.id", "printer");
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        Set<String> seen = new HashSet<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (seen.size() < expected) {
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofSeconds(1))) {
                    OUT.printf("%s %s%n", each.key(), each.value());
                    seen.add(new String(
                            each.headers().lastHeader(KafkaPublisher.ID).value(), StandardCharsets.UTF_8));
                }
                consumer.commitSync();
            }
        }
    }
}

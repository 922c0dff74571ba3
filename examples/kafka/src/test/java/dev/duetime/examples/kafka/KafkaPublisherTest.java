package dev.duetime.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.JacksonCodec;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerCount;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of publishing to a real Kafka. */
@Timeout(120)
class KafkaPublisherTest {
    private static final int PARTITIONS = 4;
    /** The default of the scheduler. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final OwnBroker broker = OwnBroker.running();

    @Test
    void aRecordCarriesTheEnvelopeItsIdItsHeadersAndItsKey() throws Exception {
        String topic = broker.topic(PARTITIONS);
        Envelope keyed = envelope("id-1", "order-17", Map.of("traceparent", "00-ü"), Payload.NONE);
        try (KafkaPublisher publisher = new KafkaPublisher(broker.client(), topic)) {
            publisher.publish(List.of(keyed, envelope("id-2")));
        }

        Map<String, ConsumerRecord<String, String>> sent = new HashMap<>();
        broker.read(topic).forEach(each -> sent.put(header(each, KafkaPublisher.ID), each));
        assertThat(sent).containsOnlyKeys("id-1", "id-2");
        ConsumerRecord<String, String> first = Objects.requireNonNull(sent.get("id-1"));
        assertThat(Envelope.fromJson(first.value())).isEqualTo(keyed);
        assertThat(first.key()).isEqualTo("order-17");
        assertThat(header(first, "traceparent")).isEqualTo("00-ü");
        assertThat(header(first, KafkaPublisher.TYPE)).isEqualTo("payment-timeout");
        assertThat(first.timestamp()).isEqualTo(keyed.event().reachedAt().toEpochMilli());
        assertThat(sent.get("id-2")).extracting(ConsumerRecord::key).isEqualTo("acme/id-2");
    }

    @Test
    void aRecordThatIsTooLargeFailsAloneAndTheOthersArrive() throws Exception {
        String topic = broker.topic(PARTITIONS);
        Payload large = Payload.encode("x".repeat(1_200_000), JacksonCodec.standard());
        List<Envelope> batch = List.of(envelope("id-1"), envelope("large", null, Map.of(), large), envelope("id-2"));
        try (KafkaPublisher publisher = new KafkaPublisher(broker.client(), topic)) {
            PartialPublishException failure =
                    catchThrowableOfType(PartialPublishException.class, () -> publisher.publish(batch));

            assertThat(failure.failures()).containsOnlyKeys("large");
            assertThat(failure.failures().get("large")).isInstanceOf(RecordTooLargeException.class);
            assertThat(ids(topic)).containsExactlyInAnyOrder("id-1", "id-2");
        }
    }

    @Test
    void theProducerIsIdempotentAndItsWaitsAreShorterThanAClose() {
        Map<String, Object> config = KafkaPublisher.withPromises(
                Map.of("acks", "0", "enable.idempotence", "false", "delivery.timeout.ms", 120_000));

        assertThat(config).containsEntry("acks", "all").containsEntry("enable.idempotence", true);
        long wait = ((Number) Objects.requireNonNull(config.get("max.block.ms"))).longValue()
                + ((Number) Objects.requireNonNull(config.get("delivery.timeout.ms"))).longValue();
        assertThat(Duration.ofMillis(wait)).isLessThan(CLOSE_TIMEOUT);
    }

    /** If each record were awaited before the next is sent, each would wait for companions as long as all together. */
    @Test
    void allRecordsAreSentBeforeTheFirstIsAwaited() throws Exception {
        String topic = broker.topic(1);
        int records = 20;
        Map<String, Object> patient = broker.client();
        patient.put("linger.ms", 300);
        try (KafkaPublisher publisher = new KafkaPublisher(patient, topic)) {
            publisher.publish(List.of(envelope("first")));

            long start = System.nanoTime();
            publisher.publish(IntStream.range(0, records)
                    .mapToObj(i -> envelope("id-" + i))
                    .toList());

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(300L * records / 2));
        }
        assertThat(ids(topic)).hasSize(records + 1);
    }

    @Test
    void aTopicThatIsNotThereIsAnOutageUntilItIsCreated() throws Exception {
        broker.topic(1);
        try (KafkaPublisher publisher = new KafkaPublisher(broker.client(), "duetime-test-absent")) {
            assertThatThrownBy(() -> publisher.publish(List.of(envelope("id-1"), envelope("id-2"))))
                    .isInstanceOf(IOException.class)
                    .hasMessage("not all records were accepted");
        }
    }

    @Test
    void noTimerIsLostThoughTheBrokerIsKilledWhileTimersFallDue() throws Exception {
        String topic = broker.topic(PARTITIONS);
        int timers = 1_000;
        try (HikariDataSource database = new HikariDataSource();
                KafkaPublisher publisher = new KafkaPublisher(broker.client(), topic)) {
            database.setJdbcUrl("jdbc:h2:mem:kafka");
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(database))
                    .publisher(publisher)
                    .build()) {
                scheduler.start();
                Instant first = scheduler.now();
                scheduler.scheduleAll(IntStream.range(0, timers)
                        .mapToObj(i -> Timer.at("t" + i, first.plusMillis(2L * i))
                                .parallelKey("key-" + i % 10)
                                .build())
                        .toList());
                Await.until("the first timers", () -> pending(scheduler) < timers * 3 / 4);
                broker.kill();
                long left = pending(scheduler);
                assertThat(left).isPositive();
                broker.start();
                Await.until("all timers", () -> pending(scheduler) == 0);
            }
        }

        List<String> arrived = ids(topic);
        assertThat(arrived).hasSizeGreaterThanOrEqualTo(timers);
        assertThat(arrived.stream().distinct()).hasSize(timers);
    }

    private static long pending(Scheduler scheduler) {
        return scheduler.admin().count(TimerQuery.all().state(TimerState.SCHEDULED)).stream()
                .mapToLong(TimerCount::timers)
                .sum();
    }

    private List<String> ids(String topic) {
        return broker.read(topic).stream()
                .map(each -> header(each, KafkaPublisher.ID))
                .toList();
    }

    private static String header(ConsumerRecord<String, String> message, String name) {
        return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static Envelope envelope(String id) {
        return envelope(id, null, Map.of(), Payload.NONE);
    }

    private static Envelope envelope(
            String id, @Nullable String parallelKey, Map<String, String> headers, Payload payload) {
        Instant now = Instant.parse("2026-11-21T10:15:00Z");
        DueTimeReached event =
                new DueTimeReached(TimerKey.of("acme", id), "payment-timeout", now, now, null, null, payload);
        return new Envelope(id, "default", 1, 0, headers, parallelKey, event);
    }
}

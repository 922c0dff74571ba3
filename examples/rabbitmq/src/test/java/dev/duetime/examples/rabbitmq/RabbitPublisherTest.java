package dev.duetime.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.rabbitmq.client.GetResponse;
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
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of publishing to a real RabbitMQ. */
@Timeout(60)
class RabbitPublisherTest {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int MOST_CUTS = 20;

    private OwnQueue queue;

    @BeforeEach
    void open() throws Exception {
        queue = new OwnQueue();
    }

    @AfterEach
    void close() throws Exception {
        queue.close();
    }

    @Test
    void messagesArePersistentAndCarryTheEnvelopesId() throws Exception {
        try (RabbitPublisher publisher = new RabbitPublisher(queue.factory(), queue.name())) {
            publisher.publish(envelopes(OwnQueue.TYPE, 3));

            List<GetResponse> messages = queue.drain();
            assertThat(messages)
                    .extracting(each -> each.getProps().getMessageId())
                    .containsExactly("id-0", "id-1", "id-2");
            assertThat(messages)
                    .extracting(each -> each.getProps().getDeliveryMode())
                    .containsOnly(2);
            assertThat(messages)
                    .extracting(each -> Envelope.fromJson(new String(each.getBody(), StandardCharsets.UTF_8))
                            .id())
                    .containsExactly("id-0", "id-1", "id-2");
        }
    }

    @Test
    void anUnroutableMessageFailsAndTheOthersArrive() throws Exception {
        List<Envelope> batch = Stream.concat(
                        envelopes(OwnQueue.TYPE, 3).stream(),
                        Stream.of(envelope("lost", "unbound"), envelope("long", "ü".repeat(200))))
                .toList();
        try (RabbitPublisher publisher = new RabbitPublisher(queue.factory(), queue.name())) {
            PartialPublishException failure =
                    catchThrowableOfType(PartialPublishException.class, () -> publisher.publish(batch));

            assertThat(failure.failures()).containsOnlyKeys("lost", "long");
            assertThat(failure.failures().get("lost")).hasMessage("no queue takes it: 312 NO_ROUTE");
            assertThat(failure.failures().get("long"))
                    .hasMessage("type must be at most 255 bytes long as a routing key");
            assertThat(ids(queue.drain())).containsExactlyInAnyOrder("id-0", "id-1", "id-2");

            publisher.publish(envelopes(OwnQueue.TYPE, 1));
            assertThat(queue.drain()).hasSize(1);
        }
    }

    @Test
    void noEnvelopeIsLostUnnamedIfTheConnectionIsCut() throws Exception {
        List<Envelope> batch = envelopes(OwnQueue.TYPE, 2_000);
        try (Proxy proxy = queue.proxy();
                RabbitPublisher publisher = new RabbitPublisher(queue.factory(proxy), queue.name())) {
            publisher.publish(batch.subList(0, 1));
            proxy.cutAfter(300_000);

            PartialPublishException failure =
                    catchThrowableOfType(PartialPublishException.class, () -> publisher.publish(batch));

            Set<String> failed = failure.failures().keySet();
            Set<String> arrived = new HashSet<>(ids(queue.drain()));
            assertThat(failed).isNotEmpty();
            assertThat(arrived).isNotEmpty();
            assertThat(batch).extracting(Envelope::id).allMatch(id -> failed.contains(id) || arrived.contains(id));

            publisher.publish(
                    batch.stream().filter(each -> failed.contains(each.id())).toList());
            arrived.addAll(ids(queue.drain()));
            assertThat(arrived).hasSize(batch.size());
        }
    }

    @Test
    void anAbsentBrokerIsAnExceptionAndIsFoundWhenItIsBack() throws Exception {
        try (Proxy proxy = queue.proxy();
                RabbitPublisher publisher = new RabbitPublisher(queue.factory(proxy), queue.name())) {
            proxy.away(true);
            assertThatThrownBy(() -> publisher.publish(envelopes(OwnQueue.TYPE, 1)))
                    .isInstanceOf(IOException.class);

            proxy.away(false);
            publisher.publish(envelopes(OwnQueue.TYPE, 1));

            assertThat(queue.drain()).hasSize(1);
        }
    }

    @Test
    void aBrokerThatBlocksPublishersIsAwayUntilItReadsAgain() throws Exception {
        Payload large = Payload.encode("x".repeat(900_000), JacksonCodec.standard());
        List<Envelope> batch = IntStream.range(0, 20)
                .mapToObj(i -> envelope("id-" + i, OwnQueue.TYPE, large))
                .toList();
        try (Proxy proxy = queue.proxy();
                RabbitPublisher publisher = new RabbitPublisher(queue.factory(proxy), queue.name())) {
            publisher.publish(envelopes(OwnQueue.TYPE, 1));
            proxy.blockAfter(100_000);

            assertThatThrownBy(() -> publisher.publish(batch))
                    .isInstanceOf(IOException.class)
                    .hasRootCauseMessage("the broker accepts no messages now: low on memory");

            publisher.publish(batch);
            assertThat(ids(queue.drain())).hasSize(21);
        }
    }

    @Test
    void messagesThatAFullQueueRefusesFailAndTheOthersArrive() throws Exception {
        try (OwnQueue full = new OwnQueue(Map.of("x-max-length", 2, "x-overflow", "reject-publish"));
                RabbitPublisher publisher = new RabbitPublisher(full.factory(), full.name())) {
            PartialPublishException failure = catchThrowableOfType(
                    PartialPublishException.class, () -> publisher.publish(envelopes(OwnQueue.TYPE, 20)));

            List<String> arrived = ids(full.drain());
            assertThat(arrived).isNotEmpty();
            assertThat(failure.failures().keySet())
                    .doesNotContainAnyElementsOf(arrived)
                    .hasSize(20 - arrived.size());
            assertThat(failure.failures().values())
                    .extracting(Throwable::getMessage)
                    .containsOnly("the broker refused it");
        }
    }

    @Test
    void allTimersArriveThoughConnectionsAreCutAgainAndAgain() throws Exception {
        int timers = 1_000;
        try (HikariDataSource database = new HikariDataSource();
                Proxy proxy = queue.proxy();
                RabbitPublisher publisher = new RabbitPublisher(queue.factory(proxy), queue.name())) {
            database.setJdbcUrl("jdbc:h2:mem:" + queue.name());
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(database))
                    .publisher(publisher)
                    .batchSize(100)
                    .build()) {
                scheduler.scheduleAll(IntStream.range(0, timers)
                        .mapToObj(i -> Timer.at("t" + i, Instant.EPOCH)
                                .type(OwnQueue.TYPE)
                                .build())
                        .toList());
                proxy.cutAfter(50_000);
                scheduler.start();
                for (int cuts = 0; isPending(scheduler); cuts++) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                    if (cuts < MOST_CUTS) {
                        proxy.cut();
                    }
                }
                assertThat(new HashSet<>(ids(queue.drain()))).hasSize(timers);
            }
        }
    }

    private static boolean isPending(Scheduler scheduler) {
        return !scheduler
                .query(TimerQuery.all().state(TimerState.SCHEDULED).limit(1))
                .isEmpty();
    }

    private static List<String> ids(List<GetResponse> messages) {
        return messages.stream().map(each -> each.getProps().getMessageId()).collect(Collectors.toList());
    }

    private static List<Envelope> envelopes(String type, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> envelope("id-" + i, type))
                .toList();
    }

    static Envelope envelope(String id, String type) {
        return envelope(id, type, Payload.NONE);
    }

    private static Envelope envelope(String id, String type, Payload payload) {
        Instant now = Instant.parse("2026-11-21T10:15:00Z");
        return new Envelope(
                id,
                "default",
                1,
                0,
                Map.of(),
                new DueTimeReached(TimerKey.of("acme", id), type, now, now, null, null, payload));
    }
}

package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.TimerKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of publishing to a real NATS server. */
@Timeout(60)
class JetStreamPublisherTest {
    private static final int MORE_THAN_THE_SERVER_TAKES = 2_000_000;

    @TempDir
    Path directory;

    @Test
    void refusedMessagesFailAndTheOthersArriveInOrder() throws Exception {
        try (OwnStreams streams = OwnStreams.open();
                Broker broker = new Broker(streams.url())) {
            Map<String, String> environment = streams.environment(directory);
            streams.create(environment);
            broker.start();
            assertThat(broker.await(Duration.ofSeconds(10))).isTrue();
            List<Envelope> batch = IntStream.range(0, 100)
                    .mapToObj(i -> envelope("id-" + i, i == 50 ? MORE_THAN_THE_SERVER_TAKES : 10))
                    .toList();

            PartialPublishException failure = catchThrowableOfType(
                    PartialPublishException.class,
                    () -> publisher(broker, environment).publish(batch));

            assertThat(failure.failures()).containsOnlyKeys("id-50");
            assertThat(failure.failures().get("id-50")).isInstanceOf(IllegalArgumentException.class);
            assertThat(streams.events(environment))
                    .extracting(Envelope::id)
                    .containsExactlyElementsOf(IntStream.range(0, 100)
                            .filter(i -> i != 50)
                            .mapToObj(i -> "id-" + i)
                            .toList());
        }
    }

    @Test
    void aMissingStreamIsAnOutage() throws Exception {
        try (OwnStreams streams = OwnStreams.open();
                Broker broker = new Broker(streams.url())) {
            broker.start();
            assertThat(broker.await(Duration.ofSeconds(10))).isTrue();
            List<Envelope> batch = List.of(envelope("a", 10), envelope("b", 10));

            assertThatThrownBy(() ->
                            publisher(broker, streams.environment(directory)).publish(batch))
                    .as("no attempt of a timer is spent")
                    .isInstanceOf(IOException.class)
                    .hasMessage("the broker has answered nothing");
        }
    }

    @Test
    void anAbsentBrokerIsAnException() {
        try (Broker broker = new Broker("nats://127.0.0.1:1")) {
            broker.start();

            assertThatThrownBy(() -> publisher(broker, Map.of()).publish(List.of(envelope("a", 10))))
                    .isInstanceOf(IOException.class)
                    .hasMessage("not connected to the broker");
        }
    }

    private static JetStreamPublisher publisher(Broker broker, Map<String, String> environment) {
        return new JetStreamPublisher(
                broker, Settings.of(environment).broker().eventSubject(), new ServiceMeters(new SimpleMeterRegistry()));
    }

    private static Envelope envelope(String id, int payloadBytes) {
        Instant now = Instant.parse("2026-11-21T10:15:00Z");
        Payload payload = Payload.of(("\"" + "x".repeat(payloadBytes) + "\"").getBytes(StandardCharsets.UTF_8));
        return new Envelope(
                id,
                "default",
                1,
                0,
                Map.of(),
                new DueTimeReached(TimerKey.of("acme", id), "timer", now, now, null, null, payload));
    }
}

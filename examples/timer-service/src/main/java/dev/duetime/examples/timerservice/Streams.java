package dev.duetime.examples.timerservice;

import dev.duetime.examples.timerservice.Settings.BrokerSettings;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;

/** The streams and the consumer. Missing ones are created; an existing stream is left unchanged. */
final class Streams {
    /** How long the broker remembers message ids, and so drops repeats of an event. */
    static final Duration DUPLICATE_WINDOW = Duration.ofMinutes(2);

    private static final Duration ACK_WAIT = Duration.ofSeconds(30);
    private static final int STREAM_NOT_FOUND = 10059;
    /** Twice the largest batch, so that a batch that is being acknowledged does not delay the next one. */
    static final int MOST_UNACKNOWLEDGED = 20_000;

    private Streams() {}

    /** Creates what is missing. */
    static void create(Connection connection, BrokerSettings settings) throws IOException, JetStreamApiException {
        JetStreamManagement management = connection.jetStreamManagement();
        create(
                management,
                StreamConfiguration.builder()
                        .name(settings.commandStream())
                        .subjects(settings.commandSubject())
                        .retentionPolicy(RetentionPolicy.WorkQueue)
                        .storageType(StorageType.File)
                        .build());
        create(
                management,
                StreamConfiguration.builder()
                        .name(settings.eventStream())
                        .subjects(settings.eventSubject())
                        .storageType(StorageType.File)
                        .duplicateWindow(DUPLICATE_WINDOW)
                        .build());
        management.addOrUpdateConsumer(
                settings.commandStream(),
                ConsumerConfiguration.builder()
                        .durable(settings.consumer())
                        .ackPolicy(AckPolicy.Explicit)
                        .ackWait(ACK_WAIT)
                        .maxAckPending(MOST_UNACKNOWLEDGED)
                        .filterSubject(settings.commandSubject())
                        .build());
    }

    /** Subscribes to the commands. The broker sends only those that the subscription requests. */
    static JetStreamSubscription subscribe(Connection connection, BrokerSettings settings)
            throws IOException, JetStreamApiException {
        PullSubscribeOptions consumer = PullSubscribeOptions.bind(settings.commandStream(), settings.consumer());
        return connection.jetStream().subscribe(settings.commandSubject(), consumer);
    }

    private static void create(JetStreamManagement management, StreamConfiguration stream)
            throws IOException, JetStreamApiException {
        try {
            management.getStreamInfo(stream.getName());
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != STREAM_NOT_FOUND) {
                throw e;
            }
            management.addStream(stream);
        }
    }
}

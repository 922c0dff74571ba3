package dev.duetime.examples.timerservice.load;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import io.nats.client.Connection;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.api.OrderedConsumerConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The content of the stream of events. Immutable and thread-safe.
 *
 * @param accepted commands that the broker acknowledged
 * @param delivered events in the stream
 * @param ids how many distinct message ids they have
 * @param timers how many distinct timers they have
 * @param early events that were stored before their due time
 * @param published from due time to the call of the publisher
 * @param stored from due time to the stream
 */
public record LoadReport(
        int accepted, int delivered, int ids, int timers, int early, Lateness published, Lateness stored) {

    /** A distribution, in milliseconds. */
    public record Lateness(double p50, double p99, double max) {
        static Lateness of(long[] nanos) {
            Arrays.sort(nanos);
            return new Lateness(at(nanos, 0.5), at(nanos, 0.99), at(nanos, 1));
        }

        private static double at(long[] sorted, double share) {
            int index = (int) Math.ceil(share * sorted.length) - 1;
            return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, index)] / 1e6;
        }
    }

    /** Reads the whole stream. */
    static LoadReport read(Connection connection, String stream, int accepted)
            throws IOException, JetStreamApiException, JetStreamStatusCheckedException, InterruptedException {
        int count = (int) connection
                .jetStreamManagement()
                .getStreamInfo(stream)
                .getStreamState()
                .getMsgCount();
        long[] published = new long[count];
        long[] stored = new long[count];
        Set<String> ids = new HashSet<>();
        Set<String> timers = new HashSet<>();
        int early = 0;
        IterableConsumer events = connection
                .getStreamContext(stream)
                .createOrderedConsumer(new OrderedConsumerConfiguration())
                .iterate();
        for (int i = 0; i < count; i++) {
            Message message = events.nextMessage(Duration.ofSeconds(10));
            if (message == null) {
                throw new IOException("the stream ends after %d of %d events".formatted(i, count));
            }
            Envelope envelope = Envelope.fromJson(new String(message.getData(), StandardCharsets.UTF_8));
            DueTimeReached event = envelope.event();
            published[i] = event.lateness().toNanos();
            stored[i] = Duration.between(
                            event.dueAt(), message.metaData().timestamp().toInstant())
                    .toNanos();
            early += published[i] < 0 || stored[i] < 0 ? 1 : 0;
            ids.add(envelope.id());
            timers.add(event.key().timerId());
        }
        events.stop();
        return new LoadReport(
                accepted, count, ids.size(), timers.size(), early, Lateness.of(published), Lateness.of(stored));
    }

    /** Returns whether each accepted command led to exactly one event, and none was early. */
    public boolean isExact() {
        return accepted == delivered && delivered == ids && ids == timers && early == 0;
    }
}

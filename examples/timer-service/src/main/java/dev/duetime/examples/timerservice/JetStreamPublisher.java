package dev.duetime.examples.timerservice;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.PublishOptions;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A publisher to JetStream that waits for all acknowledgements of a batch at once. The message id is the envelope's id,
 * so the stream drops repeats within its duplicate window. Thread-safe.
 */
final class JetStreamPublisher implements Publisher {
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);
    /** The delay before messages are sent again that were under way when the connection was lost. */
    private static final Duration SOON = Duration.ofMillis(10);

    /** What JetStream answers while it cannot store, as HTTP does. */
    private static final int UNAVAILABLE = 503;

    private final Broker broker;
    private final String subject;
    private final ServiceMeters meters;

    JetStreamPublisher(Broker broker, String subject, ServiceMeters meters) {
        this.broker = broker;
        this.subject = subject;
        this.meters = meters;
    }

    /**
     * {@inheritDoc}
     *
     * @throws PartialPublishException naming those that the stream or the server refused. Those without an answer are
     *     only postponed, which spends no attempt: the connection was lost meanwhile, or no stream can answer now
     * @throws IOException if the broker is away, or has answered nothing
     */
    @Override
    public void publish(List<Envelope> batch) throws IOException, PartialPublishException, InterruptedException {
        // This comes first, so that the future completes if the connection is lost from now on.
        CompletableFuture<Void> lost = broker.lost();
        JetStream stream = broker.connection().jetStream();
        List<CompletableFuture<PublishAck>> inFlight =
                batch.stream().map(envelope -> send(stream, envelope)).toList();
        awaitAll(inFlight, lost);

        Map<String, Throwable> failures = new HashMap<>();
        int unanswered = 0;
        for (int i = 0; i < batch.size(); i++) {
            Throwable failure = failure(inFlight.get(i));
            if (failure != null) {
                failures.put(batch.get(i).id(), failure);
                unanswered += failure instanceof PostponedException ? 1 : 0;
            }
        }
        if (unanswered == batch.size()) {
            throw new IOException("the broker has answered nothing");
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    private CompletableFuture<PublishAck> send(JetStream stream, Envelope envelope) {
        byte[] event = envelope.toJson().getBytes(StandardCharsets.UTF_8);
        try {
            return stream.publishAsync(
                    subject,
                    event,
                    PublishOptions.builder().messageId(envelope.id()).build());
        } catch (RuntimeException e) {
            // The message is too large, or the connection was just lost. The others of the batch may get through.
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void awaitAll(List<CompletableFuture<PublishAck>> inFlight, CompletableFuture<Void> lost)
            throws InterruptedException {
        CompletableFuture<Void> all = CompletableFuture.allOf(inFlight.toArray(CompletableFuture[]::new));
        try {
            CompletableFuture.anyOf(all, lost).get(ACKNOWLEDGEMENT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // Each future has an outcome of its own.
            return;
        }
    }

    private @Nullable Throwable failure(CompletableFuture<PublishAck> sent) throws InterruptedException {
        if (!sent.isDone()) {
            return new PostponedException(SOON);
        }
        try {
            meters.published(sent.get().isDuplicate());
            return null;
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            return lostBeforeAnAnswer(cause) || isAway(cause) ? new PostponedException(SOON) : cause;
        } catch (CancellationException e) {
            return new PostponedException(SOON);
        }
    }

    /** Returns whether the client gave up before the server answered for the message. */
    private static boolean lostBeforeAnAnswer(Throwable cause) {
        return cause instanceof TimeoutException
                || cause instanceof CancellationException
                || cause instanceof IllegalStateException;
    }

    /**
     * Returns whether the server is there but no stream took the message: JetStream is switched off, has no leader now,
     * or lacks the stream. This is no fault of the message.
     */
    private static boolean isAway(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof IOException
                    || (each instanceof JetStreamApiException answer && answer.getErrorCode() == UNAVAILABLE)) {
                return true;
            }
        }
        return false;
    }
}

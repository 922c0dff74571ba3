package dev.duetime.examples.timerservice;

import dev.duetime.examples.timerservice.Settings.BrokerSettings;
import io.nats.client.ConsumerContext;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A consumer that fetches commands batch by batch, in its own thread, and continues after any failure. Thread-safe. */
final class CommandConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandConsumer.class);
    /**
     * How long a request waits at the broker for a command, the shortest that the client allows; so long closing may
     * take.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration CLOSING = Duration.ofSeconds(20);

    private final Broker broker;
    private final BrokerSettings settings;
    private final CommandBatch commands;
    private final FetchConsumeOptions request;
    private final Thread thread = new Thread(this::run, "commands");
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Whether the last failure was told; used by the thread. */
    private boolean toldFailure;

    CommandConsumer(Broker broker, BrokerSettings settings, int batchSize, CommandBatch commands) {
        this.broker = broker;
        this.settings = settings;
        this.commands = commands;
        // What is there comes at once; only if nothing is, the request waits for the next command.
        request = FetchConsumeOptions.builder()
                .maxMessages(batchSize)
                .noWaitExpiresIn(PATIENCE.toMillis())
                .build();
    }

    void start() {
        thread.start();
    }

    /** Fetches no more; the batch at hand is stored and acknowledged first. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(CLOSING.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    private void run() {
        while (isOpen()) {
            CompletableFuture<Void> lost = broker.lost();
            try {
                if (broker.await(PATIENCE)) {
                    lost = broker.lost();
                    consume(Streams.open(broker.connection(), settings));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException | JetStreamApiException | JetStreamStatusCheckedException | RuntimeException e) {
                // The client may refuse a request a moment before it tells that the connection is lost.
                pause();
                tellFailure(e, lost);
            }
        }
    }

    private void consume(ConsumerContext consumer)
            throws IOException, JetStreamApiException, JetStreamStatusCheckedException, InterruptedException {
        LOG.info("commands come from {}, events go to {}", settings.commandSubject(), settings.eventSubject());
        while (isOpen()) {
            long start = System.nanoTime();
            List<Message> batch = fetch(consumer);
            toldFailure = false;
            boolean nothingAtOnce = batch.isEmpty() && System.nanoTime() - start < PATIENCE.toNanos() / 2;
            if (nothingAtOnce || !commands.take(batch)) {
                pause();
            }
        }
    }

    private List<Message> fetch(ConsumerContext consumer)
            throws IOException, JetStreamApiException, JetStreamStatusCheckedException, InterruptedException {
        List<Message> batch = new ArrayList<>();
        FetchConsumer fetch = consumer.fetch(request);
        try {
            for (Message next = fetch.nextMessage(); next != null; next = fetch.nextMessage()) {
                batch.add(next);
            }
        } finally {
            close(fetch);
        }
        return batch;
    }

    /** Gives its subscription back; one that has come to its end did so already. */
    private static void close(FetchConsumer fetch) {
        try {
            fetch.close();
        } catch (Exception e) {
            LOG.debug("fetch was not closed", e);
        }
    }

    /** An absent broker is told by {@link Broker}. */
    private void tellFailure(Exception failure, CompletableFuture<Void> lost) {
        if (!lost.isDone() && broker.isConnected() && isOpen() && !toldFailure) {
            LOG.warn("commands cannot be fetched; retrying: {}", Secrets.reasons(failure));
            toldFailure = true;
        }
        LOG.debug("fetch failed", failure);
    }

    private void pause() {
        try {
            if (closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.duetime.examples.timerservice;

import dev.duetime.examples.timerservice.Settings.BrokerSettings;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullRequestOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that requests commands batch by batch, in its own thread, and continues after any failure. Thread-safe.
 *
 * <p>Its subscription outlives the requests. A command that arrives when a request has just ended is part of the next
 * batch. If each request had a subscription of its own, the broker would send such a command again only after the
 * consumer's {@code ack_wait}.
 */
final class CommandConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandConsumer.class);
    /** How long a request waits at the broker for a command. Closing may take so long. */
    static final Duration PATIENCE = Duration.ofSeconds(1);
    /** How long the broker may take to send the next command or the end of a request; longer than a request waits. */
    private static final Duration ANSWER = PATIENCE.multipliedBy(2);

    private static final Duration CLOSING = Duration.ofSeconds(20);

    private final Broker broker;
    private final BrokerSettings settings;
    private final int batchSize;
    private final long batchBytes;
    private final Predicate<List<Message>> commands;
    private final Thread thread = new Thread(this::run, "commands");
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Whether the last failure was logged. Used by the thread. */
    private boolean toldFailure;

    /**
     * Creates it.
     *
     * @param batchSize how many commands a batch has at most
     * @param batchBytes how many bytes a batch has at most, unless a single command is larger
     * @param commands handles a batch; returns false if the database failed
     */
    CommandConsumer(
            Broker broker, BrokerSettings settings, int batchSize, long batchBytes, Predicate<List<Message>> commands) {
        this.broker = broker;
        this.settings = settings;
        this.batchSize = batchSize;
        this.batchBytes = batchBytes;
        this.commands = commands;
    }

    void start() {
        thread.start();
    }

    /** Returns whether its thread is there. Without it no command would be taken any more. */
    boolean isRunning() {
        return thread.isAlive();
    }

    /** Stops requesting commands. The present batch is stored and acknowledged first. */
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
                    Connection connection = broker.connection();
                    Streams.create(connection, settings);
                    // A request for fewer bytes than a message has would get none.
                    long largest = connection.getServerInfo().getMaxPayload() + CommandBatch.ROOM;
                    consume(Streams.subscribe(connection, settings), Math.max(batchBytes, largest));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) {
                continueAfter(e, lost);
            }
        }
    }

    /** Waits a moment. An error ends no thread: nobody would start another one. */
    private void continueAfter(Throwable failure, CompletableFuture<Void> lost) {
        try {
            // The client may refuse a request a moment before it reports the loss of the connection.
            pause();
            tellFailure(failure, lost);
        } catch (RuntimeException | Error e) {
            // There may be too little memory for a line in the log. The next failure is logged.
            toldFailure = false;
        }
    }

    private void consume(JetStreamSubscription subscription, long bytes)
            throws IOException, JetStreamApiException, InterruptedException {
        LOG.info("commands come from {}, events go to {}", settings.commandSubject(), settings.eventSubject());
        try {
            while (isOpen()) {
                long start = System.nanoTime();
                List<Message> batch = next(subscription, bytes);
                toldFailure = false;
                if (batch.isEmpty() && System.nanoTime() - start < PATIENCE.toNanos() / 2) {
                    // The broker refused the request. This fails if the consumer is gone; then it is created again.
                    subscription.getConsumerInfo();
                    pause();
                } else if (!commands.test(batch)) {
                    pause();
                }
            }
        } finally {
            close(subscription);
        }
    }

    /**
     * Returns the commands that are available. If there is none, waits for the next one. The list is empty if none
     * came.
     */
    private List<Message> next(JetStreamSubscription subscription, long bytes) throws InterruptedException {
        List<Message> batch = new ArrayList<>();
        subscription.pull(PullRequestOptions.noWait(batchSize)
                .expiresIn(PATIENCE)
                .maxBytes(bytes)
                .build());
        while (batch.size() < batchSize) {
            Message next = subscription.nextMessage(ANSWER);
            if (next == null) {
                // The broker has ended the request, or is away.
                break;
            }
            batch.add(next);
        }
        return batch;
    }

    /** Ends the subscription. If its connection was closed, the subscription has already ended. */
    private static void close(JetStreamSubscription subscription) {
        if (subscription.isActive()) {
            try {
                subscription.unsubscribe();
            } catch (IllegalStateException e) {
                LOG.debug("the subscription has ended already", e);
            }
        }
    }

    /** {@link Broker} logs that the broker is away. */
    private void tellFailure(Throwable failure, CompletableFuture<Void> lost) {
        if (!lost.isDone() && broker.isConnected() && isOpen() && !toldFailure) {
            LOG.warn("commands cannot be requested; retrying: {}", Secrets.reasons(failure));
            toldFailure = true;
        }
        LOG.debug("request failed", failure);
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

package dev.duetime.examples.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A publisher to an exchange of RabbitMQ. The routing key is the timer's type, and the message id is the envelope's id.
 * Messages are persistent and confirmed by the broker. If no queue accepts a message, it fails. The publisher connects
 * when it has something to publish, and again after any failure. A broker that blocks publishers counts as away.
 * Thread-safe: several queues may share it, one batch at
 * a time.
 */
final class RabbitPublisher implements Publisher, AutoCloseable {
    private static final Duration CONFIRMATION = Duration.ofSeconds(5);
    /** The delay before messages are sent again that were under way when the connection was lost. */
    private static final Duration SOON = Duration.ofMillis(10);

    private static final int PERSISTENT = 2;
    /** The largest length of a short string in AMQP. */
    private static final int LONGEST_ROUTING_KEY = 255;

    private final ConnectionFactory factory;
    private final String exchange;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private @Nullable Connection connection;
    private @Nullable ConfirmedChannel channel;
    /** The socket of the connection that was opened last. */
    private @Nullable Socket socket;

    /** Publishes over connections of a copy of the factory. */
    RabbitPublisher(ConnectionFactory factory, String exchange) {
        this.factory = factory.clone();
        this.exchange = exchange;
        // The engine retries, so a broken connection is given up. If the client recovered it, the publisher would wait
        // for confirms that never come.
        this.factory.setAutomaticRecoveryEnabled(false);
        this.factory.setConnectionTimeout((int) CONFIRMATION.toMillis());
        this.factory.setRequestedHeartbeat(5);
        this.factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(opened -> socket = opened));
    }

    /**
     * {@inheritDoc}
     *
     * @throws PartialPublishException naming those that the broker refused or returned. If the connection was lost
     *     meanwhile, those without an answer are only postponed, which spends no attempt
     * @throws IOException if there is no connection, or the broker has answered nothing
     */
    @Override
    public void publish(List<Envelope> batch) throws Exception {
        lock.lock();
        try {
            ConfirmedChannel open = open();
            Map<String, Throwable> failures = send(open, batch);
            failures.putAll(open.confirms().await(CONFIRMATION));
            Set<String> unanswered = open.confirms().unanswered();
            if (!unanswered.isEmpty()) {
                // Answers may come late, and must not be taken for those of the next batch.
                disconnect();
                if (unanswered.size() == batch.size()) {
                    throw new IOException(
                            "the broker has answered nothing", open.confirms().whyLost());
                }
                unanswered.forEach(id -> failures.putIfAbsent(id, new PostponedException(SOON)));
            }
            if (!failures.isEmpty()) {
                throw new PartialPublishException(failures);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection. */
    @Override
    public void close() {
        lock.lock();
        try {
            disconnect();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the envelopes that can never be sent, with the reason. */
    private Map<String, Throwable> send(ConfirmedChannel open, List<Envelope> batch) {
        Map<String, Throwable> failures = new HashMap<>();
        Throwable broken = null;
        for (Envelope envelope : batch) {
            if (envelope.type().getBytes(StandardCharsets.UTF_8).length > LONGEST_ROUTING_KEY) {
                failures.put(
                        envelope.id(),
                        new IllegalArgumentException(
                                "type must be at most %d bytes long as a routing key".formatted(LONGEST_ROUTING_KEY)));
            } else if (broken != null) {
                open.confirms().notSent(envelope.id());
            } else {
                try {
                    send(open, envelope);
                } catch (IOException | AlreadyClosedException e) {
                    broken = e;
                    open.confirms().lost(e);
                }
            }
        }
        return failures;
    }

    private void send(ConfirmedChannel open, Envelope envelope) throws IOException {
        Channel to = open.channel();
        open.confirms().expect(to.getNextPublishSeqNo(), envelope.id());
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(envelope.id())
                .type("DueTimeReached")
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .timestamp(Date.from(envelope.event().reachedAt()))
                .build();
        boolean mandatory = true;
        to.basicPublish(
                exchange,
                envelope.type(),
                mandatory,
                properties,
                envelope.toJson().getBytes(StandardCharsets.UTF_8));
    }

    private ConfirmedChannel open() throws IOException, TimeoutException {
        ConfirmedChannel current = channel;
        if (current != null && current.channel().isOpen()) {
            return current;
        }
        disconnect();
        Connection fresh = factory.newConnection("duetime");
        connection = fresh;
        ConfirmedChannel opened = ConfirmedChannel.open(fresh);
        channel = opened;
        giveUpIfBlocked(fresh, opened.confirms(), socket);
        return opened;
    }

    /**
     * Gives the connection up when the broker blocks it, because it lacks memory or space on its disk. The broker then
     * reads nothing, so a write to the socket could wait for hours, and would block any other call of the client.
     */
    private static void giveUpIfBlocked(Connection connection, Confirms confirms, @Nullable Socket socket) {
        connection.addBlockedListener(
                reason -> {
                    confirms.lost(new IOException("the broker accepts no messages now: " + reason));
                    if (socket != null) {
                        socket.close();
                    }
                },
                () -> {});
    }

    private void disconnect() {
        if (connection != null) {
            connection.abort((int) CONFIRMATION.toMillis());
        }
        connection = null;
        channel = null;
    }
}

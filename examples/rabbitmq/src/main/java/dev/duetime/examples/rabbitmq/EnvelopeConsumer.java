package dev.duetime.examples.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import dev.duetime.Envelope;
import dev.duetime.MalformedMessageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A consumer that handles each envelope of a queue once. An exception that left {@link #handle} would close the
 * channel, and the consumer with it. So every message is settled separately:
 *
 * <ul>
 *   <li>an envelope that was handled, now or before, is acknowledged;
 *   <li>a message that is no envelope is rejected. It goes to the dead-letter exchange of the queue, or is dropped if
 *       there is none;
 *   <li>an envelope whose handling failed is delivered again after a pause if the database failed. Without the pause, a
 *       database that is away would make all messages go back and forth without end. After any other failure, and if
 *       the database refuses a value or a constraint is violated, it is delivered again once, and then rejected;
 *   <li>a message that cannot be settled, since the connection was lost meanwhile, is left alone. The broker delivers
 *       it again, and the inbox knows whether it was handled.
 * </ul>
 *
 * Called by the thread of its channel. After a pause another thread settles the message.
 */
final class EnvelopeConsumer implements DeliverCallback {
    private static final PrintStream OUT = System.out;
    /** The classes of SQLSTATE for what the database refuses each time: values, and violations of constraints. */
    private static final Set<String> REFUSED = Set.of("22", "23");

    /** The pause before a message comes again that failed with the database. No thread waits meanwhile. */
    private static final Executor AFTER_A_PAUSE = CompletableFuture.delayedExecutor(250, TimeUnit.MILLISECONDS);

    private final Channel channel;
    private final Inbox inbox;
    private final Handler handler;
    private final Runnable handled;

    /** The handler of an envelope, called in the transaction that remembers the envelope. */
    @FunctionalInterface
    interface Handler {
        void handle(Envelope envelope, Connection connection) throws SQLException;
    }

    /**
     * Creates it.
     *
     * @param handled runs once for each envelope, after it was handled
     */
    EnvelopeConsumer(Channel channel, Inbox inbox, Handler handler, Runnable handled) {
        this.channel = channel;
        this.inbox = inbox;
        this.handler = handler;
        this.handled = handled;
    }

    @Override
    public void handle(String consumer, Delivery message) throws IOException {
        long delivery = message.getEnvelope().getDeliveryTag();
        boolean again = !message.getEnvelope().isRedeliver();
        try {
            Envelope envelope = Envelope.fromJson(text(message.getBody()));
            if (inbox.once(envelope.id(), connection -> handler.handle(envelope, connection))) {
                // This must not wait for the acknowledgement: if that fails, the next delivery is a repeat.
                handled.run();
            }
            settle(() -> channel.basicAck(delivery, false));
        } catch (MalformedMessageException e) {
            refused(delivery, "is no envelope: " + e.getMessage());
        } catch (CharacterCodingException e) {
            refused(delivery, "is no envelope: it is not UTF-8");
        } catch (SQLException e) {
            boolean isRefused = REFUSED.stream().anyMatch(String.valueOf(e.getSQLState())::startsWith);
            failed(delivery, !isRefused || again, e);
        } catch (RuntimeException | Error e) {
            // An error, too: the client would close the channel, and nothing would be consumed any more.
            failed(delivery, again, e);
        }
    }

    /** Returns the text. A {@code String} would silently replace what is not UTF-8. */
    private static String text(byte[] body) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    }

    private void failed(long delivery, boolean again, Throwable failure) throws IOException {
        if (again) {
            AFTER_A_PAUSE.execute(() -> again(delivery));
        } else {
            refused(delivery, "failed twice: " + failure.getClass().getName());
        }
    }

    private void again(long delivery) {
        try {
            settle(() -> channel.basicNack(delivery, false, true));
        } catch (IOException e) {
            OUT.println("# a message was not settled; the broker delivers it again");
        }
    }

    private void refused(long delivery, String reason) throws IOException {
        OUT.printf("# message %d %s%n", delivery, reason);
        settle(() -> channel.basicReject(delivery, false));
    }

    /** Settles a message, unless the channel was closed meanwhile. */
    private static void settle(Settlement settlement) throws IOException {
        try {
            settlement.send();
        } catch (AlreadyClosedException e) {
            OUT.println("# a message was not settled; the broker delivers it again");
        }
    }

    @FunctionalInterface
    private interface Settlement {
        void send() throws IOException;
    }
}

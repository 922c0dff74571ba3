package dev.duetime.examples.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import dev.duetime.Envelope;
import dev.duetime.MalformedMessageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A consumer that handles each envelope of a queue once. An exception that left {@link #handle} would close the
 * channel, and the consumer with it. So every message is settled separately:
 *
 * <ul>
 *   <li>an envelope that was handled, now or before, is acknowledged;
 *   <li>a message that is no envelope is rejected. It goes to the dead-letter exchange of the queue, or is dropped if
 *       there is none;
 *   <li>an envelope whose handling failed is delivered again if the database failed. After any other failure it is
 *       delivered again once, and then rejected.
 * </ul>
 *
 * Used by the thread of its channel.
 */
final class EnvelopeConsumer implements DeliverCallback {
    private static final PrintStream OUT = System.out;
    /** The class of SQLSTATE for values that the database refuses. */
    private static final String DATA = "22";

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
     * @param handled runs after each envelope that was handled and acknowledged, not for repeats
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
            Envelope envelope = Envelope.fromJson(new String(message.getBody(), StandardCharsets.UTF_8));
            boolean first = inbox.once(envelope.id(), connection -> handler.handle(envelope, connection));
            channel.basicAck(delivery, false);
            if (first) {
                handled.run();
            }
        } catch (MalformedMessageException e) {
            refused(delivery, "is no envelope: " + e.getMessage());
        } catch (SQLException e) {
            boolean ofData = String.valueOf(e.getSQLState()).startsWith(DATA);
            settle(delivery, !ofData || again, e);
        } catch (RuntimeException e) {
            settle(delivery, again, e);
        }
    }

    private void settle(long delivery, boolean again, Exception failure) throws IOException {
        if (again) {
            channel.basicNack(delivery, false, true);
        } else {
            refused(delivery, "failed twice: " + failure.getClass().getName());
        }
    }

    private void refused(long delivery, String reason) throws IOException {
        OUT.printf("# message %d %s%n", delivery, reason);
        channel.basicReject(delivery, false);
    }
}

package dev.duetime.examples.timerservice;

import io.nats.client.Connection;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A termination of a message: the broker never delivers it again. The reason goes to the broker and to the log. */
final class Termination {
    private static final Logger LOG = LoggerFactory.getLogger(Termination.class);
    /** Servers before this one ignore a termination that has a reason, and deliver the message for ever. */
    private static final String REASONS_SINCE = "2.10.4";

    private Termination() {}

    /** @param why the reason, which must not quote the message */
    static void of(Message message, String why) {
        String reason = Secrets.hidden(why);
        LOG.warn("command {} is refused: {}", message.metaData().streamSequence(), reason);
        Connection connection = message.getConnection();
        if (connection.getServerInfo().isSameOrNewerThanVersion(REASONS_SINCE)) {
            connection.publish(message.getReplyTo(), ("+TERM " + reason).getBytes(StandardCharsets.UTF_8));
        } else {
            message.term();
        }
    }
}

package dev.duetime.examples.timerservice;

import dev.duetime.DueTimeReached;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * A client that sends one command to a running service and waits for its event: {@code Client TIMER_ID DELAY
 * [PAYLOAD]}, such as {@code Client order-17 PT5S '{"orderId":17}'}. It reads the same environment as the service.
 */
public final class Client {
    private static final PrintStream OUT = System.out;
    private static final Duration GRACE = Duration.ofSeconds(30);

    private Client() {}

    /** Sends one command and prints its event. */
    public static void main(String[] args) throws IOException, InterruptedException, JetStreamApiException {
        if (args.length < 2) {
            System.err.println(
                    "usage: Client TIMER_ID DELAY [PAYLOAD], such as: Client order-17 PT5S '{\"orderId\":17}'");
            System.exit(2);
        }
        Settings.BrokerSettings settings = Settings.of(System.getenv()).broker();
        String payload = args.length > 2 ? ",\"payload\":" + args[2] : "";
        Duration delay = Duration.parse(args[1]);
        String command = "{\"tenantId\":\"acme\",\"timerId\":\"%s\",\"dueAt\":\"%s\"%s}"
                .formatted(args[0], Instant.now().plus(delay), payload);
        Connection connection = Nats.connect(settings.url());
        try {
            Subscription events = connection.subscribe(settings.eventSubject());
            long sequence = connection
                    .jetStream()
                    .publish(settings.commandSubject(), command.getBytes(StandardCharsets.UTF_8))
                    .getSeqno();
            OUT.printf("# sent command %d: %s%n", sequence, command);
            if (!await(events, args[0], Instant.now().plus(delay).plus(GRACE))) {
                OUT.println("# no event: the timer has been reached before, or no service runs");
            }
        } finally {
            // Its threads would keep the program running.
            connection.close();
        }
    }

    /** Prints the event of the timer and returns true, or returns false when the time is over. */
    private static boolean await(Subscription events, String timerId, Instant until) throws InterruptedException {
        while (true) {
            Duration left = Duration.between(Instant.now(), until);
            Message event = left.isNegative() ? null : events.nextMessage(left);
            if (event == null) {
                return false;
            }
            String json = new String(event.getData(), StandardCharsets.UTF_8);
            if (DueTimeReached.fromJson(json).key().timerId().equals(timerId)) {
                OUT.println(json);
                return true;
            }
        }
    }
}

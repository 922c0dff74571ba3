package dev.duetime.examples.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A program that schedules the payment timeouts of five orders, publishes them to RabbitMQ and handles each once.
 * {@code RABBITMQ_URL} is the broker; amqp://guest:guest@127.0.0.1:5672 by default.
 */
public final class OrderTimeouts {
    private static final PrintStream OUT = System.out;
    private static final String EXCHANGE = "duetime.events";
    private static final String QUEUE = "orders.payment-timeouts";
    private static final String TYPE = "payment-timeout";
    private static final int ORDERS = 5;
    private static final int PREFETCH = 100;

    /** The payload of a timer. */
    record PaymentTimeout(int orderId) {}

    private OrderTimeouts() {}

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(System.getenv().getOrDefault("RABBITMQ_URL", "amqp://guest:guest@127.0.0.1:5672"));
        try (HikariDataSource database = database();
                Connection connection = factory.newConnection("orders");
                Channel channel = connection.createChannel();
                RabbitPublisher publisher = new RabbitPublisher(factory, EXCHANGE);
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(database))
                        .publisher(publisher)
                        .build()) {
            channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.DIRECT, true);
            // A quorum queue survives the loss of a node; it is durable and keeps what is persistent.
            channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind(QUEUE, EXCHANGE, TYPE);
            CountDownLatch handled = new CountDownLatch(ORDERS);
            consume(channel, database, handled);

            scheduler.start();
            for (int order = 1; order <= ORDERS; order++) {
                scheduler.schedule(Timer.after("order-" + order, Duration.ofMillis(400L * order))
                        .type(TYPE)
                        .payload(new PaymentTimeout(order))
                        .build());
            }
            OUT.printf("# scheduled the timeouts of %d orders%n", ORDERS);
            boolean done = handled.await(1, TimeUnit.MINUTES);
            OUT.println(done ? "# all are handled" : "# not all were handled within a minute");
        }
    }

    private static void consume(Channel channel, DataSource database, CountDownLatch handled)
            throws SQLException, IOException {
        EnvelopeConsumer consumer = new EnvelopeConsumer(
                channel,
                new Inbox(database),
                (envelope, connection) -> OUT.println(envelope.toJson()),
                handled::countDown);
        // Without a limit the broker sends the whole queue at once, and this program keeps it in memory.
        channel.basicQos(PREFETCH);
        channel.basicConsume(
                QUEUE,
                false,
                consumer,
                tag -> OUT.println("# the queue is gone"),
                (tag, reason) -> OUT.println(
                        reason.isHardError()
                                ? "# the connection has ended; the client opens another one unless it was closed"
                                : "# the consumer has stopped: " + reason.getMessage()));
    }

    private static HikariDataSource database() {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:h2:mem:orders");
        return database;
    }
}

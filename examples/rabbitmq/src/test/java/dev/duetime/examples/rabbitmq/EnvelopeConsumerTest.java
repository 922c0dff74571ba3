package dev.duetime.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of consuming from a real RabbitMQ. */
@Timeout(60)
class EnvelopeConsumerTest {
    private static final String GOOD =
            RabbitPublisherTest.envelope("good", OwnQueue.TYPE).toJson();

    @Test
    void aMessageThatCannotBeHandledDelaysNoOther() throws Exception {
        BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        AtomicInteger broken = new AtomicInteger();
        AtomicInteger errors = new AtomicInteger();
        AtomicInteger violations = new AtomicInteger();
        AtomicInteger away = new AtomicInteger();
        try (OwnQueue queue = new OwnQueue();
                HikariDataSource database = database();
                Connection connection = queue.factory().newConnection("consumer");
                Channel channel = connection.createChannel()) {
            EnvelopeConsumer consumer = new EnvelopeConsumer(
                    channel,
                    new Inbox(database),
                    (envelope, transaction) -> {
                        if (envelope.id().equals("broken") && broken.incrementAndGet() > 0) {
                            throw new IllegalStateException("cannot be handled");
                        }
                        if (envelope.id().equals("error") && errors.incrementAndGet() > 0) {
                            throw new StackOverflowError();
                        }
                        if (envelope.id().equals("violation")) {
                            violations.incrementAndGet();
                            try (Statement statement = transaction.createStatement()) {
                                statement.execute("INSERT INTO inbox (id) VALUES (NULL)");
                            }
                        }
                        if (envelope.id().equals("away") && away.incrementAndGet() < 4) {
                            throw new SQLException("the database is away", "08001");
                        }
                        handled.add(envelope.id());
                    },
                    () -> {});
            String tag = channel.basicConsume(queue.name(), false, consumer, cancelled -> {});

            for (String body : List.of(
                    "no JSON",
                    "[]",
                    "{\"id\":\"x\"}",
                    "[".repeat(501),
                    "{\"" + "n".repeat(50_001) + "\":1}",
                    GOOD.replace("\"good\"", "\"" + "longer-than-the-inbox".repeat(10) + "\""),
                    "",
                    GOOD.replace("\"good\"", "\"broken\""),
                    GOOD.replace("\"good\"", "\"error\""),
                    GOOD.replace("\"good\"", "\"violation\""),
                    GOOD.replace("\"good\"", "\"away\""),
                    GOOD,
                    GOOD)) {
                channel.basicPublish(queue.name(), OwnQueue.TYPE, null, body.getBytes(StandardCharsets.UTF_8));
            }
            byte[] notUtf8 = GOOD.replace("\"good\"", "\"ü\"").getBytes(StandardCharsets.ISO_8859_1);
            channel.basicPublish(queue.name(), OwnQueue.TYPE, odd(), notUtf8);
            channel.basicPublish(queue.name(), OwnQueue.TYPE, odd(), new byte[1_000_000]);

            assertThat(List.of(next(handled), next(handled))).containsExactlyInAnyOrder("good", "away");
            while (channel.messageCount(queue.name()) > 0
                    || Math.min(broken.get(), Math.min(errors.get(), violations.get())) < 2) {
                Thread.onSpinWait();
            }
            assertThat(channel.isOpen()).isTrue();
            assertThat(broken).as("comes again once").hasValue(2);
            assertThat(errors).as("comes again once").hasValue(2);
            channel.basicCancel(tag);
            assertThat(violations).as("comes again once").hasValue(2);
            assertThat(channel.messageCount(queue.name())).isZero();
            assertThat(handled).isEmpty();
        }
    }

    /** The inbox takes the next delivery for a repeat. So what follows the handling must not wait for the broker. */
    @Test
    void anEnvelopeIsHandledOnceIfTheChannelIsLostMeanwhile() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        try (OwnQueue queue = new OwnQueue();
                HikariDataSource database = database();
                Connection connection = queue.factory().newConnection("consumer")) {
            Channel channel = connection.createChannel();
            EnvelopeConsumer consumer = new EnvelopeConsumer(
                    channel, new Inbox(database), (envelope, transaction) -> close(channel), handled::incrementAndGet);
            channel.basicPublish(queue.name(), OwnQueue.TYPE, null, GOOD.getBytes(StandardCharsets.UTF_8));
            GetResponse message = null;
            while (message == null) {
                message = channel.basicGet(queue.name(), false);
            }
            Delivery delivery = new Delivery(message.getEnvelope(), message.getProps(), message.getBody());

            assertThatCode(() -> consumer.handle("tag", delivery)).doesNotThrowAnyException();

            assertThat(handled).hasValue(1);
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns properties that fit no envelope. */
    private static BasicProperties odd() {
        Map<String, Object> headers = new HashMap<>();
        IntStream.range(0, 500).forEach(i -> headers.put("h" + i, "x".repeat(200)));
        return new BasicProperties.Builder()
                .contentType("application/octet-stream")
                .contentEncoding("gzip")
                .headers(headers)
                .build();
    }

    private static String next(BlockingQueue<String> handled) throws InterruptedException {
        return String.valueOf(handled.poll(30, TimeUnit.SECONDS));
    }

    private static HikariDataSource database() {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        return database;
    }
}

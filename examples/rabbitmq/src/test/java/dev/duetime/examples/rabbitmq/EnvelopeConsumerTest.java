package dev.duetime.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
                        if (envelope.id().equals("away") && away.incrementAndGet() < 4) {
                            throw new SQLException("the database is away", "08001");
                        }
                        handled.add(envelope.id());
                    },
                    () -> {});
            channel.basicConsume(queue.name(), false, consumer, tag -> {});

            for (String body : List.of(
                    "no JSON",
                    "[]",
                    "{\"id\":\"x\"}",
                    "[".repeat(501),
                    "{\"" + "n".repeat(50_001) + "\":1}",
                    GOOD.replace("\"good\"", "\"" + "longer-than-the-inbox".repeat(10) + "\""),
                    GOOD.replace("\"good\"", "\"broken\""),
                    GOOD.replace("\"good\"", "\"away\""),
                    GOOD,
                    GOOD)) {
                channel.basicPublish(queue.name(), OwnQueue.TYPE, null, body.getBytes(StandardCharsets.UTF_8));
            }

            assertThat(List.of(next(handled), next(handled))).containsExactlyInAnyOrder("good", "away");
            while (channel.messageCount(queue.name()) > 0 || broken.get() < 2) {
                Thread.onSpinWait();
            }
            assertThat(channel.isOpen()).isTrue();
            assertThat(broken).as("comes again once").hasValue(2);
            assertThat(handled).isEmpty();
        }
    }

    private static String next(BlockingQueue<String> handled) throws InterruptedException {
        return String.valueOf(handled.poll(30, TimeUnit.SECONDS));
    }

    private static HikariDataSource database() {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:h2:mem:consumer");
        return database;
    }
}

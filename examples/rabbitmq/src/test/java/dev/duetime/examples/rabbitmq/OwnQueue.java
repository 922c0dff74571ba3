package dev.duetime.examples.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The exchange and the queue of one test. They are on the server that the environment names, or on the local one, and
 * are removed when closed.
 */
final class OwnQueue implements AutoCloseable {
    /** The types that are bound to the queue. Messages of other types cannot be routed. */
    static final String TYPE = "payment-timeout";

    private static final String SERVER = "DUETIME_TEST_RABBITMQ_URL";

    private final String name = "duetime_test_" + UUID.randomUUID();
    private final ConnectionFactory factory;
    private final Connection connection;
    private final Channel channel;

    /** Connects; without a server the test is skipped, or fails if {@code DUETIME_TEST_REQUIRED} is true. */
    OwnQueue() throws Exception {
        this(Map.of());
    }

    /** Connects to a queue with arguments, such as a limit of its length. */
    OwnQueue(Map<String, Object> arguments) throws Exception {
        String named = System.getenv(SERVER);
        factory = new ConnectionFactory();
        factory.setUri(named == null ? "amqp://guest:guest@127.0.0.1:5672" : named);
        connection = connect();
        channel = connection.createChannel();
        channel.exchangeDeclare(name, BuiltinExchangeType.DIRECT, true);
        channel.queueDeclare(name, true, false, false, arguments);
        channel.queueBind(name, name, TYPE);
    }

    String name() {
        return name;
    }

    ConnectionFactory factory() {
        return factory.clone();
    }

    Proxy proxy() throws Exception {
        return new Proxy(factory.getHost(), factory.getPort());
    }

    /** Returns a connection factory that connects through the proxy. */
    ConnectionFactory factory(Proxy proxy) {
        ConnectionFactory through = factory.clone();
        through.setHost("127.0.0.1");
        through.setPort(proxy.port());
        return through;
    }

    /** Takes all messages out of the queue. */
    List<GetResponse> drain() throws Exception {
        List<GetResponse> messages = new ArrayList<>();
        for (GetResponse next = channel.basicGet(name, true); next != null; next = channel.basicGet(name, true)) {
            messages.add(next);
        }
        return messages;
    }

    @Override
    public void close() throws IOException {
        channel.queueDelete(name);
        channel.exchangeDelete(name);
        connection.close();
    }

    private Connection connect() {
        try {
            return factory.newConnection("test");
        } catch (Exception e) {
            String missing = "RabbitMQ is not tested: no server at %s:%d; start one, or name it by %s"
                    .formatted(factory.getHost(), factory.getPort(), SERVER);
            return Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))
                    ? Assertions.fail(missing, e)
                    : Assumptions.abort(missing);
        }
    }
}

package dev.duetime.examples.timerservice;

import io.nats.client.Connection;
import io.nats.client.api.ServerInfo;
import io.nats.client.impl.NatsJetStreamMetaData;
import io.nats.client.impl.NatsMessage;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A command as a broker delivers it, which notes how it is answered: {@code ack}, {@code term}, or a delay. */
class SentCommand extends NatsMessage {
    /** Its server takes the termination from the message. */
    private static final ServerInfo SERVER = new ServerInfo("{\"version\":\"2.9.0\",\"max_payload\":1048576}");

    private static final Connection CONNECTION = (Connection) Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                if (method.getName().equals("getServerInfo")) {
                    return SERVER;
                }
                throw new UnsupportedOperationException(method.getName());
            });

    private final String name;
    private final List<String> answers;

    /**
     * Creates it.
     *
     * @param sequence its place in the stream
     * @param deliveries how often the broker has delivered it, this time included
     * @param answers gets its name and how it is answered
     */
    SentCommand(String name, long sequence, int deliveries, List<String> answers) {
        super(
                "commands",
                "$JS.ACK.stream.consumer.%d.%d.1.1700000000000000000.0".formatted(deliveries, sequence),
                "{\"tenantId\":\"acme\",\"timerId\":\"%s\",\"dueAt\":\"2099-01-01T00:00:00Z\"}"
                        .formatted(name)
                        .getBytes(StandardCharsets.UTF_8));
        this.name = name;
        this.answers = answers;
    }

    @Override
    public boolean isJetStream() {
        return true;
    }

    @Override
    public NatsJetStreamMetaData metaData() {
        return new NatsJetStreamMetaData(this);
    }

    @Override
    public Connection getConnection() {
        return CONNECTION;
    }

    @Override
    public void ack() {
        answers.add(name + " ack");
    }

    @Override
    public void nakWithDelay(Duration delay) {
        answers.add(name + " " + delay);
    }

    @Override
    public void term() {
        answers.add(name + " term");
    }
}

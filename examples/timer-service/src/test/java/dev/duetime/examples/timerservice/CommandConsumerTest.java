package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the thread that requests commands. */
@Timeout(60)
class CommandConsumerTest {
    @TempDir
    Path directory;

    @Test
    void anErrorDoesNotEndTheThread() throws Exception {
        AtomicBoolean erred = new AtomicBoolean();
        List<String> taken = new CopyOnWriteArrayList<>();
        try (OwnStreams streams = OwnStreams.open();
                Broker broker = new Broker(streams.url())) {
            Map<String, String> environment = streams.environment(directory);
            streams.create(environment);
            broker.start();
            try (CommandConsumer consumer =
                    new CommandConsumer(broker, Settings.of(environment).broker(), 100, 1_000_000, messages -> {
                        if (!messages.isEmpty() && erred.compareAndSet(false, true)) {
                            throw new OutOfMemoryError("a test");
                        }
                        messages.forEach(each -> taken.add(new String(each.getData(), StandardCharsets.UTF_8)));
                        return true;
                    })) {
                consumer.start();
                streams.send(environment, "first");
                Await.until("the error", erred::get);

                streams.send(environment, "second");

                Await.until("the next command", () -> taken.contains("second"));
                assertThat(consumer.isRunning()).isTrue();
            }
        }
    }

    @Test
    void aBatchHasNoMoreBytesThanTheLargestCommand() throws Exception {
        List<Integer> bytes = new CopyOnWriteArrayList<>();
        try (OwnStreams streams = OwnStreams.open();
                Broker broker = new Broker(streams.url())) {
            Map<String, String> environment = streams.environment(directory);
            streams.create(environment);
            for (int i = 0; i < 5; i++) {
                streams.send(environment, "x".repeat(400_000));
            }
            broker.start();
            try (CommandConsumer consumer =
                    new CommandConsumer(broker, Settings.of(environment).broker(), 100, 1, messages -> {
                        bytes.add(messages.stream()
                                .mapToInt(each -> each.getData().length)
                                .sum());
                        messages.forEach(Message::ack);
                        return true;
                    })) {
                consumer.start();
                streams.awaitNoCommands(environment);
            }
        }
        assertThat(bytes).contains(800_000).allMatch(each -> each <= 800_000);
    }
}

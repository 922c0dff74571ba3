package dev.duetime.examples.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** A real broker in a process of its own, from the artifacts of Maven Central. A test may kill and start it again. */
final class OwnBroker {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final OwnBroker ONLY = started();

    private final Path folder;
    private final int port;
    private @Nullable Process process;

    /** Returns the broker of all tests of this process, which ends with it. */
    static OwnBroker running() {
        return ONLY;
    }

    private static OwnBroker started() {
        try {
            Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
            OwnBroker broker = new OwnBroker(Files.createTempDirectory(target, "broker"));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::end));
            broker.start();
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Prepares a broker that keeps its log in a folder. */
    private OwnBroker(Path folder) throws IOException {
        this.folder = folder;
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = one.getLocalPort();
            Files.writeString(properties(), settings(port, other.getLocalPort()));
        }
    }

    private String settings(int clients, int controller) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                log.dirs=%3$s
                auto.create.topics.enable=false
                offsets.topic.num.partitions=1
                offsets.topic.replication.factor=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                """.formatted(clients, controller, log().toString().replace('\\', '/'));
    }

    private Path properties() {
        return folder.resolve("server.properties");
    }

    private Path log() {
        return folder.resolve("log");
    }

    /** Starts the broker, and returns at once. */
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerProcess.class.getName(),
                        properties().toString(),
                        log().toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("broker.log").toFile()))
                .start();
    }

    /** Ends the process with SIGKILL. */
    void kill() throws InterruptedException {
        end().waitFor();
    }

    private Process end() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("no broker was started");
        }
        return running.destroyForcibly();
    }

    /** Returns what a client needs to connect. */
    Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:" + port));
    }

    /** Creates a topic as soon as the broker answers. */
    String topic(int partitions) throws Exception {
        String topic = "duetime-test-" + UUID.randomUUID();
        Map<String, Object> config = client();
        config.put("default.api.timeout.ms", (int) LONGEST_START.toMillis());
        config.put("reconnect.backoff.max.ms", 100);
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get(LONGEST_START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(Files.readString(folder.resolve("broker.log")), e);
        }
        return topic;
    }

    /** Reads the whole topic, partition by partition. */
    List<ConsumerRecord<String, String>> read(String topic) {
        Map<String, Object> config = client();
        config.put("auto.offset.reset", "earliest");
        config.put("isolation.level", "read_committed");
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }
}

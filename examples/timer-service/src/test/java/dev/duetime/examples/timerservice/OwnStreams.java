package dev.duetime.examples.timerservice;

import dev.duetime.Envelope;
import dev.duetime.examples.timerservice.Settings.BrokerSettings;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The streams of one test. They are on the server that the environment names, or on the local one, and are removed when
 * closed.
 */
final class OwnStreams implements AutoCloseable {
    private static final String SERVER = "DUETIME_TEST_NATS_URL";

    private final String name =
            "duetime_test_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    private final String url;
    private final Connection connection;

    private OwnStreams(String url, Connection connection) {
        this.url = url;
        this.connection = connection;
    }

    /** Connects; without a server the test is skipped, or fails if {@code DUETIME_TEST_REQUIRED} is true. */
    static OwnStreams open() throws InterruptedException {
        String named = System.getenv(SERVER);
        String url = named == null ? "nats://127.0.0.1:4222" : named;
        try {
            return on(url);
        } catch (IOException e) {
            String missing =
                    "NATS is not tested: no server with JetStream at " + url + "; start one, or name it by " + SERVER;
            return Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))
                    ? Assertions.fail(missing, e)
                    : Assumptions.abort(missing);
        }
    }

    /** Connects to a server of the test's own. */
    static OwnStreams on(String url) throws IOException, InterruptedException {
        Options options = new Options.Builder()
                .server(url)
                .maxReconnects(-1)
                .errorListener(new ErrorListener() {})
                .build();
        Connection connection = Nats.connect(options);
        if (!connection.getServerInfo().isJetStreamAvailable()) {
            connection.close();
            throw new IOException("the server has no JetStream");
        }
        return new OwnStreams(url, connection);
    }

    String url() {
        return url;
    }

    /** Returns the environment of a service that uses these streams and keeps its timers below the directory. */
    Map<String, String> environment(Path directory) {
        Map<String, String> environment = new HashMap<>(environment(url, directory));
        environment.put("TIMER_COMMAND_STREAM", name + "_commands");
        environment.put("TIMER_COMMAND_SUBJECT", name + ".commands");
        environment.put("TIMER_EVENT_STREAM", name + "_events");
        environment.put("TIMER_EVENT_SUBJECT", name + ".events");
        return environment;
    }

    static Map<String, String> environment(String url, Path directory) {
        return Map.of(
                "TIMER_BROKER_URL",
                url,
                "TIMER_DB_PATH",
                directory.resolve("event_service.db").toString(),
                "TIMER_HTTP_PORT",
                "0");
    }

    /** Creates the streams as a service does. */
    void create(Map<String, String> environment) throws IOException, JetStreamApiException {
        Streams.create(connection, Settings.of(environment).broker());
    }

    /** Sends texts as commands, well-formed or not. Returns when the stream has them. */
    void send(Map<String, String> environment, String... commands) throws IOException, JetStreamApiException {
        String subject = Settings.of(environment).broker().commandSubject();
        for (String command : commands) {
            connection.jetStream().publish(subject, command.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns what the stream of events holds. */
    List<Envelope> events(Map<String, String> environment) throws IOException, JetStreamApiException {
        String stream = Settings.of(environment).broker().eventStream();
        JetStreamManagement management = connection.jetStreamManagement();
        List<Envelope> events = new ArrayList<>();
        StreamState state = management.getStreamInfo(stream).getStreamState();
        for (long sequence = 1; sequence <= state.getLastSequence(); sequence++) {
            byte[] data = management.getMessage(stream, sequence).getData();
            events.add(Envelope.fromJson(new String(data, StandardCharsets.UTF_8)));
        }
        return events;
    }

    /** Waits until the stream of events holds this many events, and returns them. */
    List<Envelope> await(Map<String, String> environment, int count) throws Exception {
        Await.until(count + " events", () -> events(environment).size() >= count);
        return events(environment);
    }

    /** Returns how often the broker has sent a command, repeats included. */
    long deliveries(Map<String, String> environment) throws IOException, JetStreamApiException {
        BrokerSettings settings = Settings.of(environment).broker();
        return connection
                .jetStreamManagement()
                .getConsumerInfo(settings.commandStream(), settings.consumer())
                .getDelivered()
                .getConsumerSequence();
    }

    /** Waits until no command is left: each was acknowledged or terminated. */
    void awaitNoCommands(Map<String, String> environment) throws Exception {
        String stream = Settings.of(environment).broker().commandStream();
        JetStreamManagement management = connection.jetStreamManagement();
        Await.until(
                "an empty stream of commands",
                () -> management.getStreamInfo(stream).getStreamState().getMsgCount() == 0);
    }

    @Override
    public void close() throws IOException, JetStreamApiException {
        JetStreamManagement management = connection.jetStreamManagement();
        for (String stream : management.getStreamNames()) {
            if (stream.startsWith(name)) {
                management.deleteStream(stream);
            }
        }
        try {
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

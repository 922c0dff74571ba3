package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.duetime.Scheduler;
import dev.duetime.examples.timerservice.Settings.HttpAddress;
import dev.duetime.jdbc.JdbcScheduleStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the endpoint without a broker. */
@Timeout(10)
class HttpEndpointTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private final BreakableDataSource database = new BreakableDataSource("jdbc:h2:mem:" + UUID.randomUUID());
    private final Scheduler scheduler = Scheduler.builder()
            .store(JdbcScheduleStore.of(database))
            .publisher(batch -> {})
            .build();
    private final List<Socket> slow = new ArrayList<>();
    private boolean takesCommands = true;
    private HttpEndpoint endpoint;

    @BeforeEach
    void open() throws IOException {
        endpoint = new HttpEndpoint(
                new HttpAddress("127.0.0.1", 0),
                scheduler,
                () -> true,
                () -> takesCommands,
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        scheduler.start();
        endpoint.start();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket each : slow) {
            each.close();
        }
        endpoint.close();
        scheduler.close();
        database.close();
    }

    @Test
    void clientsThatDoNotSendTheirRequestDelayNoOther() throws Exception {
        for (int i = 0; i < 10; i++) {
            slow.add(connection(endpoint.port()));
        }

        assertThat(health().body()).contains("\"scheduler\":");
    }

    @Test
    void aRequestThatTakesTooLongLosesItsConnection() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(HERE, 0), 0);
        try (BriefRequests threads = new BriefRequests(Duration.ofMillis(20));
                Socket client = connection(start(server, threads))) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aServiceThatTakesNoCommandsIsDown() throws Exception {
        assertThat(health().statusCode()).isEqualTo(200);
        takesCommands = false;

        assertThat(health().statusCode()).isEqualTo(503);
        assertThat(health().body()).contains("\"status\":\"DOWN\"", "\"commands\":\"STOPPED\"");
    }

    private static int start(HttpServer server, BriefRequests threads) {
        server.setExecutor(threads);
        server.start();
        return server.getAddress().getPort();
    }

    /** Returns a connection whose client has sent one byte. */
    private static Socket connection(int port) throws IOException {
        Socket client = new Socket(HERE, port);
        client.setSoTimeout(5_000);
        client.getOutputStream().write('G');
        return client;
    }

    private HttpResponse<String> health() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + "/health");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofSeconds(5))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}

package dev.duetime.examples.timerservice;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.duetime.Scheduler;
import dev.duetime.admin.Health;
import dev.duetime.examples.timerservice.Settings.HttpAddress;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * An HTTP server with {@code /health}, which answers 200 or 503, and {@code /metrics} in Prometheus' text format.
 * Neither of them calls the database or the broker. Thread-safe.
 */
final class HttpEndpoint implements AutoCloseable {
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final BooleanSupplier isConnected;
    private final BooleanSupplier takesCommands;
    private final PrometheusMeterRegistry registry;
    private final HttpServer server;
    private final BriefRequests threads = new BriefRequests(LONGEST_REQUEST);

    /**
     * Creates it.
     *
     * @param isConnected whether the broker is there
     * @param takesCommands whether commands are taken while the broker is there
     * @throws IOException if the port is taken
     */
    HttpEndpoint(
            HttpAddress address,
            Scheduler scheduler,
            BooleanSupplier isConnected,
            BooleanSupplier takesCommands,
            PrometheusMeterRegistry registry)
            throws IOException {
        this.takesCommands = takesCommands;
        this.scheduler = scheduler;
        this.isConnected = isConnected;
        this.registry = registry;
        server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 0);
        server.setExecutor(threads);
        server.createContext("/health", this::health);
        server.createContext("/metrics", this::metrics);
    }

    void start() {
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private void health(HttpExchange exchange) throws IOException {
        Health node = scheduler.admin().health();
        boolean connected = isConnected.getAsBoolean();
        boolean running = takesCommands.getAsBoolean();
        boolean up = node.isHealthy() && connected && running;
        String json = "{\"status\":\"%s\",\"broker\":\"%s\",\"scheduler\":\"%s\",\"commands\":\"%s\"}%n"
                .formatted(
                        up ? "UP" : "DOWN",
                        connected ? "CONNECTED" : "AWAY",
                        node.isHealthy() ? "HEALTHY" : "UNHEALTHY",
                        running ? "RUNNING" : "STOPPED");
        answer(exchange, up ? 200 : 503, "application/json", json);
    }

    private void metrics(HttpExchange exchange) throws IOException {
        answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape());
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}

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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An HTTP server with {@code /health}, which answers 200 or 503, and {@code /metrics} in Prometheus' text format.
 * Neither of them calls the database or the broker. Thread-safe.
 */
final class HttpEndpoint implements AutoCloseable {
    private final Scheduler scheduler;
    private final Broker broker;
    private final PrometheusMeterRegistry registry;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, task -> {
        Thread thread = new Thread(task, "http");
        thread.setDaemon(true);
        return thread;
    });

    /** @throws IOException if the port is taken */
    HttpEndpoint(HttpAddress address, Scheduler scheduler, Broker broker, PrometheusMeterRegistry registry)
            throws IOException {
        this.scheduler = scheduler;
        this.broker = broker;
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
        threads.shutdownNow();
    }

    private void health(HttpExchange exchange) throws IOException {
        Health node = scheduler.admin().health();
        boolean up = node.isHealthy() && broker.isConnected();
        String json = "{\"status\":\"%s\",\"broker\":\"%s\",\"scheduler\":\"%s\"}%n"
                .formatted(
                        up ? "UP" : "DOWN",
                        broker.isConnected() ? "CONNECTED" : "AWAY",
                        node.isHealthy() ? "HEALTHY" : "UNHEALTHY");
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

package dev.duetime.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.duetime.Scheduler;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Serves a {@link Console} by the JDK's own server:
 *
 * <pre>{@code ConsoleServer console = ConsoleServer.start(scheduler, 8090);}</pre>
 *
 * <p>Thread-safe.
 */
public final class ConsoleServer implements AutoCloseable {
    /** For the whole request, and for each part of the answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Console console;
    private final HttpServer server;
    private final SlowClients threads;
    private final CountDownLatch closed = new CountDownLatch(1);

    private ConsoleServer(Console console, HttpServer server, SlowClients threads) {
        this.console = console;
        this.server = server;
        this.threads = threads;
    }

    /**
     * Serves the console of a scheduler to this machine only, where everybody may operate.
     *
     * @param port the port; 0 for any free one
     * @throws UncheckedIOException if the port is not free
     */
    public static ConsoleServer start(Scheduler scheduler, int port) {
        return start(Console.of(scheduler), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Serves a console at an address.
     *
     * @throws IllegalStateException if the address can be reached from other machines and no access function is set
     * @throws UncheckedIOException if the address is not free
     */
    public static ConsoleServer start(ConsoleBuilder settings, InetSocketAddress address) {
        return start(settings, address, PATIENCE);
    }

    /** Serves a console, and waits for slow clients for another time. */
    static ConsoleServer start(ConsoleBuilder settings, InetSocketAddress address, Duration patience) {
        if (!settings.hasAccess()
                && (address.isUnresolved() || !address.getAddress().isLoopbackAddress())) {
            throw new IllegalStateException("address must be one of this machine only, such as localhost, unless"
                    + " access(…) says who may use the console, but was " + address);
        }
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException("the console cannot be served at " + address, e);
        }
        SlowClients threads = new SlowClients(patience);
        ConsoleServer started = new ConsoleServer(settings.build(), server, threads);
        server.setExecutor(threads);
        server.createContext("/", started::serve);
        server.start();
        return started;
    }

    /** Returns the address for a browser on this machine. */
    public URI address() {
        InetAddress bound = server.getAddress().getAddress();
        String host = bound.isAnyLocalAddress() || bound.isLoopbackAddress() ? "localhost" : bound.getHostAddress();
        return URI.create("http://" + host + ":" + server.getAddress().getPort() + console.basePath() + "/");
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean isForm = exchange.getRequestMethod().equals("POST");
            byte[] form = isForm ? exchange.getRequestBody().readNBytes(Console.LARGEST_FORM + 1) : new byte[0];
            threads.endWait();
            String query = exchange.getRequestURI().getRawQuery();
            ConsoleResponse response = query != null && query.length() > Console.LONGEST_QUERY
                    ? console.tooLong()
                    : form.length > Console.LARGEST_FORM ? console.tooLarge() : console.answer(request(exchange, form));
            threads.beginWait();
            send(exchange, response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(HttpExchange exchange, ConsoleResponse response) throws IOException, InterruptedException {
        response.headers().forEach(exchange.getResponseHeaders()::set);
        try (ConsoleResponse.Stream stream = response.stream()) {
            boolean hasBody = !exchange.getRequestMethod().equals("HEAD") && response.body().length > 0;
            exchange.sendResponseHeaders(response.status(), stream != null ? 0 : hasBody ? response.body().length : -1);
            try (OutputStream out = exchange.getResponseBody()) {
                if (stream != null) {
                    write(stream, out);
                } else if (hasBody) {
                    out.write(response.body());
                }
            }
        }
    }

    private void write(ConsoleResponse.Stream stream, OutputStream out) throws IOException, InterruptedException {
        byte[] part = stream.next();
        boolean isClosed = false;
        while (part != null && !isClosed) {
            threads.beginWait();
            out.write(part);
            out.flush();
            threads.endWait();
            isClosed = closed.await(stream.pause().toMillis(), TimeUnit.MILLISECONDS);
            part = stream.next();
        }
        threads.beginWait();
    }

    private ConsoleRequest request(HttpExchange exchange, byte[] form) {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
        return Requests.of(
                exchange.getRequestMethod(),
                console.basePath(),
                exchange.getRequestURI().getRawPath(),
                exchange.getRequestURI().getRawQuery(),
                form,
                headers,
                exchange.getRemoteAddress().getAddress());
    }

    /** Ends open pages and stops serving. */
    @Override
    public void close() {
        console.close();
        closed.countDown();
        server.stop(0);
        threads.close();
    }
}

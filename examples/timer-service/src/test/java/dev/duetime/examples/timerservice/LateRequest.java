package dev.duetime.examples.timerservice;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * A proxy before a NATS server that holds back the first request for commands. The request reaches the server when the
 * client no longer waits for it: when the client ends its subscription or sends the next request.
 */
final class LateRequest implements AutoCloseable {
    private static final String REQUEST = "PUB $JS.API.CONSUMER.MSG.NEXT.";
    private static final String UNSUBSCRIBE = "UNSUB ";

    private final URI server;
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final CompletableFuture<Void> arrived = new CompletableFuture<>();
    private final CompletableFuture<Void> passed = new CompletableFuture<>();

    LateRequest(String server) throws IOException {
        this.server = URI.create(server);
        start(this::accept);
    }

    String url() {
        return "nats://127.0.0.1:" + listener.getLocalPort();
    }

    /**
     * Waits until the request is at the server, although its client no longer waits. What the client sent next is held
     * back.
     */
    void awaitArrival() {
        arrived.join();
    }

    /** Passes on what is held, and from now on everything. */
    void pass() {
        passed.complete(null);
    }

    @Override
    public void close() throws IOException {
        passed.complete(null);
        listener.close();
    }

    private void accept() throws IOException {
        try (Socket client = listener.accept();
                Socket upstream = new Socket(server.getHost(), server.getPort())) {
            start(() -> upstream.getInputStream().transferTo(client.getOutputStream()));
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = upstream.getOutputStream();
            byte[] line = line(in);
            for (; !startsWith(line, REQUEST); line = line(in)) {
                out.write(line);
            }
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.write(line);
            request.write(line(in));
            ByteArrayOutputStream held = new ByteArrayOutputStream();
            for (line = line(in); !startsWith(line, REQUEST) && !startsWith(line, UNSUBSCRIBE); line = line(in)) {
                held.write(line);
            }
            out.write(request.toByteArray());
            arrived.complete(null);
            passed.join();
            out.write(held.toByteArray());
            out.write(line);
            in.transferTo(out);
        }
    }

    /** Returns a line of the protocol with its end. */
    private static byte[] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int read = in.read(); ; read = in.read()) {
            if (read < 0) {
                throw new IOException("the client has gone");
            }
            line.write(read);
            if (read == '\n') {
                return line.toByteArray();
            }
        }
    }

    private static boolean startsWith(byte[] line, String prefix) {
        return new String(line, StandardCharsets.UTF_8).startsWith(prefix);
    }

    @FunctionalInterface
    private interface Copy {
        void run() throws IOException;
    }

    private static void start(Copy copy) {
        Thread thread = new Thread(
                () -> {
                    try {
                        copy.run();
                    } catch (IOException e) {
                        // One side has closed its connection. The test shows what its service does after that.
                        return;
                    }
                },
                "late-request");
        thread.setDaemon(true);
        thread.start();
    }
}

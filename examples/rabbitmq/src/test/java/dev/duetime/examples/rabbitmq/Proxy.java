package dev.duetime.examples.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A proxy between client and server that can cut their connections. Thread-safe. */
final class Proxy implements AutoCloseable {
    private final InetSocketAddress server;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** How many bytes from clients are passed on before all connections are cut. */
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

    private volatile boolean blocks;

    Proxy(String host, int port) throws IOException {
        server = new InetSocketAddress(host, port);
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    void cutAfter(long bytes) {
        left.set(bytes);
    }

    /**
     * Blocks a connection after so many bytes, as a broker does that lacks memory: it tells the client so, and reads
     * nothing more from it.
     */
    void blockAfter(long bytes) {
        blocks = true;
        left.set(bytes);
    }

    /** Refuses connections while it is away. */
    void away(boolean away) {
        left.set(away ? 0 : Long.MAX_VALUE);
        if (away) {
            cut();
        }
    }

    void cut() {
        sockets.forEach(Proxy::close);
        sockets.clear();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listener.accept();
                Socket upstream = new Socket();
                sockets.add(client);
                sockets.add(upstream);
                if (left.get() <= 0) {
                    cut();
                    continue;
                }
                upstream.connect(server);
                start(() -> copy(client, upstream, true));
                start(() -> copy(upstream, client, false));
            } catch (IOException e) {
                if (listener.isClosed()) {
                    return;
                }
            }
        }
    }

    private void copy(Socket from, Socket to, boolean counted) {
        byte[] buffer = new byte[1_024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (counted && left.addAndGet(-read) < 0) {
                    left.set(Long.MAX_VALUE);
                    if (blocks) {
                        blocks = false;
                        from.getOutputStream().write(blocked("low on memory"));
                    } else {
                        cut();
                    }
                    return;
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // The connection was cut. So the other direction ends, too.
            close(from);
            close(to);
        }
    }

    /** Returns the frame of AMQP's method {@code connection.blocked}. */
    private static byte[] blocked(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(13 + text.length)
                .put((byte) 1)
                .putShort((short) 0)
                .putInt(5 + text.length)
                .putShort((short) 10)
                .putShort((short) 60)
                .put((byte) text.length)
                .put(text)
                .put((byte) 0xCE)
                .array();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }
}

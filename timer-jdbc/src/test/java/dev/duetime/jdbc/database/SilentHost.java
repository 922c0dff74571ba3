package dev.duetime.jdbc.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A way to a database server that can fall silent: from then on nothing passes in either direction, and nobody closes
 * the connections. So does a host that lost its power or its network.
 */
public final class SilentHost implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("//([^/:]+)(?::(\\d+))?");
    private static final String POSTGRESQL = "5432";

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final String url;
    private final String host;
    private final int port;
    private volatile boolean silent;

    /** Opens a way to the server of a URL. */
    public SilentHost(String target) {
        Matcher address = ADDRESS.matcher(target);
        if (!address.find()) {
            throw new IllegalArgumentException("the URL names no host");
        }
        host = address.group(1);
        port = Integer.parseInt(address.group(2) == null ? POSTGRESQL : address.group(2));
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        url = address.replaceFirst("//" + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort());
        run(this::accept);
    }

    /** Returns the URL that leads here. */
    public String url() {
        return url;
    }

    /** Lets nothing pass any more. */
    public void fallSilent() {
        silent = true;
    }

    private static void run(Runnable work) {
        Thread thread = new Thread(work, "silent-host");
        thread.setDaemon(true);
        thread.start();
    }

    @SuppressWarnings("resource") // Closed with this.
    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket target = new Socket(host, port);
                sockets.addAll(List.of(client, target));
                run(() -> pass(client, target));
                run(() -> pass(target, client));
            }
        } catch (IOException e) {
            fallSilent();
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] some = new byte[8_192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                if (!silent) {
                    out.write(some, 0, count);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One end is closed: with it goes the other.
        }
    }

    /** Ends all connections. */
    public void hangUp() {
        try {
            server.close();
            for (Socket each : sockets) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        hangUp();
    }
}

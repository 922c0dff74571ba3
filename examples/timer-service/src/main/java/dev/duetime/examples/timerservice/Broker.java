package dev.duetime.examples.timerservice;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to NATS. It connects in the background, so the service starts without a broker. It reconnects without
 * a time limit, and logs once when the broker is away and once when it is back. Thread-safe.
 */
final class Broker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final String url;
    private final Thread connector = new Thread(this::keepConnected, "broker-connector");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Mutable state, guarded by lock.
    private @Nullable Connection connection;
    private CompletableFuture<Void> lost = new CompletableFuture<>();
    private boolean connected;
    private boolean toldAway;
    private boolean closing;

    Broker(String url) {
        this.url = url;
        connector.setDaemon(true);
    }

    /** Begins to connect; returns at once. */
    void start() {
        connector.start();
    }

    /**
     * Returns the connection.
     *
     * @throws IOException if the broker is away
     */
    Connection connection() throws IOException {
        lock.lock();
        try {
            Connection current = connection;
            if (!connected || current == null) {
                throw new IOException("not connected to the broker");
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    boolean isConnected() {
        lock.lock();
        try {
            return connected;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the broker is there, for the given time at most; returns whether it is. */
    boolean await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            for (long nanos = atMost.toNanos(); !connected && nanos > 0; ) {
                nanos = changed.awaitNanos(nanos);
            }
            return connected;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns a future that completes when the present connection is lost. After that no acknowledgement under way
     * arrives.
     */
    CompletableFuture<Void> lost() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** Stops connecting. Everything that was sent is flushed, also acknowledgements of commands. */
    @Override
    public void close() {
        Connection current;
        lock.lock();
        try {
            closing = true;
            current = connection;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        connector.interrupt();
        try {
            if (current != null && current.getStatus() == Connection.Status.CONNECTED) {
                current.drain(CLOSING).get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
            } else if (current != null) {
                current.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException | RuntimeException e) {
            LOG.debug("the connection was not drained", e);
        }
    }

    private void keepConnected() {
        try {
            while (true) {
                if (isGone()) {
                    connect();
                }
                lock.lock();
                try {
                    if (closing) {
                        return;
                    }
                    changed.awaitNanos(RETRY.toNanos());
                } finally {
                    lock.unlock();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("stopped connecting");
        }
    }

    /** The client reconnects by itself, but gives up if its login is refused. */
    private boolean isGone() {
        lock.lock();
        try {
            return !closing && (connection == null || connection.getStatus() == Connection.Status.CLOSED);
        } finally {
            lock.unlock();
        }
    }

    private void connect() throws InterruptedException {
        try {
            Connection fresh = Nats.connect(options());
            lock.lock();
            try {
                connection = fresh;
            } finally {
                lock.unlock();
            }
            // The connection may have been lost before this object knew it.
            changed(fresh.getStatus() == Connection.Status.CONNECTED, "");
        } catch (IOException | RuntimeException e) {
            changed(false, Secrets.reasons(e));
        }
    }

    private Options options() {
        return new Options.Builder()
                .server(url)
                .connectionName("timer-service")
                .maxReconnects(-1)
                .reconnectWait(RETRY)
                .pingInterval(Duration.ofSeconds(5))
                // Nothing is queued while the broker is away. Timers wait in the database, and commands in their
                // stream.
                .reconnectBufferSize(0)
                // The writer of the client sends messages of one moment together.
                .dontForceFlushOnRequest()
                .connectionListener((changing, event) -> told(event))
                .errorListener(new ErrorListener() {
                    @Override
                    public void errorOccurred(Connection failing, String error) {
                        LOG.debug("the broker says: {}", Secrets.hidden(error));
                    }
                })
                .build();
    }

    private void told(Events event) {
        switch (event) {
            case RECONNECTED -> changed(true, "");
            case DISCONNECTED, CLOSED -> changed(false, "connection lost");
            default -> LOG.debug("{}", event);
        }
    }

    private void changed(boolean now, String why) {
        CompletableFuture<Void> over = null;
        lock.lock();
        try {
            boolean before = connected;
            connected = now;
            if (now && !before) {
                LOG.info("connected to the broker at {}", shown());
                toldAway = false;
                lost = new CompletableFuture<>();
            } else if (!now && !closing && !toldAway) {
                LOG.warn("the broker at {} is away; retrying: {}", shown(), why);
                toldAway = true;
            }
            if (!now) {
                over = lost;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (over != null) {
            over.complete(null);
        }
    }

    /** Returns the URLs without the logins that they may hold. */
    private String shown() {
        return url.replaceAll("//[^/,]*@", "//");
    }
}

package dev.duetime.engine;

import dev.duetime.Envelope;
import dev.duetime.ExpiryReason;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerListener;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the user's listener, and keeps what it throws away from the engine. Thread-safe. */
final class Listeners implements TimerListener {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final TimerListener listener;
    private final AtomicBoolean said = new AtomicBoolean();

    Listeners(TimerListener listener) {
        this.listener = listener;
    }

    @Override
    public void delivered(Envelope envelope) {
        guarded(() -> listener.delivered(envelope));
    }

    @Override
    public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        guarded(() -> listener.failed(envelope, error, retryAt));
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        guarded(() -> listener.expired(timer, reason));
    }

    @Override
    public void rejected(Timer timer, Instant expiresAt) {
        guarded(() -> listener.rejected(timer, expiresAt));
    }

    @Override
    public void overtaken(String queue, int count) {
        guarded(() -> listener.overtaken(queue, count));
    }

    private void guarded(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            if (said.compareAndSet(false, true)) {
                LOG.warn(
                        "listener {} failed; this is said once",
                        listener.getClass().getName(),
                        e);
            }
        }
    }
}

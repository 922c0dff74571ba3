package dev.duetime.console;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The streams of server-sent events that tell open pages to ask for new numbers. An event carries no data, so a fence
 * has nothing to hide in it. A stream ends after ten minutes, so that a browser that is gone does not keep it; an open
 * page begins another. Thread-safe.
 */
final class LiveStreams implements AutoCloseable {
    private static final int MOST = 100;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int TICKS = 300;
    private static final byte[] TICK = "event: tick\ndata: 1\n\n".getBytes(StandardCharsets.UTF_8);

    private final Semaphore free = new Semaphore(MOST);
    private volatile boolean isClosed;

    /** Returns a stream; null if there are too many, or the console is closed. */
    ConsoleResponse.@Nullable Stream open() {
        return !isClosed && free.tryAcquire() ? new Ticks() : null;
    }

    /** Ends all streams at their next part. */
    @Override
    public void close() {
        isClosed = true;
    }

    private final class Ticks implements ConsoleResponse.Stream {
        private final AtomicInteger left = new AtomicInteger(TICKS);
        private final AtomicBoolean isOpen = new AtomicBoolean(true);

        @Override
        public byte @Nullable [] next() {
            return !isClosed && isOpen.get() && left.getAndDecrement() > 0 ? TICK : null;
        }

        @Override
        public Duration pause() {
            return PAUSE;
        }

        @Override
        public void close() {
            if (isOpen.compareAndSet(true, false)) {
                free.release();
            }
        }
    }
}

package dev.duetime.console;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stream to a browser that keeps no thread. One thread writes the parts of all streams. It never waits for a browser:
 * a browser that does not read for several parts is given up. Thread-safe.
 */
final class ServletStream implements WriteListener, AsyncListener, Runnable {
    private static final int MOST_UNREAD = 5;

    private final AsyncContext context;
    private final ServletOutputStream out;
    private final ConsoleResponse.Stream stream;
    private final ScheduledExecutorService pulse;
    private final Set<ServletStream> open;
    // Guarded by this.
    private @Nullable Future<?> parts;
    private int unread;
    private boolean hasEnded;

    private ServletStream(
            AsyncContext context,
            ServletOutputStream out,
            ConsoleResponse.Stream stream,
            ScheduledExecutorService pulse,
            Set<ServletStream> open) {
        this.context = context;
        this.out = out;
        this.stream = stream;
        this.pulse = pulse;
        this.open = open;
    }

    /**
     * Begins to send a stream, and closes it at its end.
     *
     * @param pulse writes the parts
     * @param open the streams that have not ended
     */
    static void begin(
            HttpServletRequest request,
            ConsoleResponse.Stream stream,
            ScheduledExecutorService pulse,
            Set<ServletStream> open)
            throws IOException {
        try {
            AsyncContext context = request.startAsync();
            context.setTimeout(0);
            ServletStream all =
                    new ServletStream(context, context.getResponse().getOutputStream(), stream, pulse, open);
            open.add(all);
            context.addListener(all);
            all.out.setWriteListener(all);
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    /** The server calls it first when it is ready. */
    @Override
    public synchronized void onWritePossible() {
        if (parts == null && !hasEnded) {
            long pause = stream.pause().toMillis();
            try {
                parts = pulse.scheduleWithFixedDelay(this, 0, pause, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                end();
            }
        }
    }

    /** Writes the next part, or ends the stream. */
    @Override
    public synchronized void run() {
        if (hasEnded) {
            return;
        }
        try {
            byte[] part = stream.next();
            if (part == null) {
                end();
            } else if (out.isReady()) {
                unread = 0;
                out.write(part);
                if (out.isReady()) {
                    out.flush();
                }
            } else if (++unread >= MOST_UNREAD) {
                end();
            }
        } catch (IOException | RuntimeException e) {
            end();
        }
    }

    /** Ends the stream. May be called again. */
    synchronized void end() {
        if (hasEnded) {
            return;
        }
        hasEnded = true;
        open.remove(this);
        stream.close();
        if (parts != null) {
            parts.cancel(false);
        }
        try {
            context.complete();
        } catch (IllegalStateException e) {
            // The server has completed it, because the browser is gone.
        }
    }

    @Override
    public void onError(Throwable error) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nobody starts it again.
    }
}

package dev.duetime.console;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer of the console, for any server to send. Thread-safe, unless somebody changes its bytes. */
public final class ConsoleResponse {
    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;
    private final @Nullable Stream stream;

    ConsoleResponse(int status, Map<String, String> headers, byte[] body, @Nullable Stream stream) {
        headers.forEach(ConsoleResponse::check);
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.body = body;
        this.stream = stream;
    }

    /** A line break would begin a header that somebody else has written. */
    private static void check(String name, String value) {
        if (value.chars().anyMatch(each -> each < ' ' || each > '~')) {
            throw new IllegalStateException("header " + name + " must be of visible ASCII characters");
        }
    }

    /**
     * A body that is written in parts, with a pause after each. The server asks for the first part at once, flushes
     * each part, and closes the stream in any case: when it has ended, and when the other end is gone. Thread-safe.
     */
    public interface Stream extends AutoCloseable {

        /** Returns the next part; null if the stream has ended. */
        byte @Nullable [] next();

        /** Returns how long to wait between two parts. */
        Duration pause();

        @Override
        void close();
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the headers. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the body, which must not be changed; empty if a stream follows. */
    public byte[] body() {
        return body;
    }

    /** Returns what writes a body without a known end; null for none. */
    public @Nullable Stream stream() {
        return stream;
    }
}

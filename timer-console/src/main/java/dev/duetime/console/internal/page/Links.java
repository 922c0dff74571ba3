package dev.duetime.console.internal.page;

import dev.duetime.TimerKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Addresses inside the console. Immutable and thread-safe.
 *
 * @param base what stands before each path: empty, or a path that begins with a slash and does not end with one
 */
public record Links(String base) {

    /**
     * Returns an address.
     *
     * @param parameters names and values in turn; a null value leaves out its name
     */
    public String to(String path, @Nullable Object... parameters) {
        StringBuilder address = new StringBuilder(base).append(path);
        char separator = '?';
        for (int i = 0; i < parameters.length; i += 2) {
            Object value = parameters[i + 1];
            if (value != null) {
                address.append(separator).append(parameters[i]).append('=').append(encode(value.toString()));
                separator = '&';
            }
        }
        return address.toString();
    }

    /** Returns the address of a timer. */
    public String timer(TimerKey key) {
        return to("/timer", "tenant", key.tenantId(), "id", key.timerId(), "scope", key.scope());
    }

    /** Returns the address of a timer, with what was done to it. */
    public String timer(TimerKey key, String done) {
        return to("/timer", "tenant", key.tenantId(), "id", key.timerId(), "scope", key.scope(), "done", done);
    }

    /** Returns a key as one value of a form. */
    public static String encode(TimerKey key) {
        return encode(key.tenantId()) + "/" + encode(key.timerId()) + "/" + encode(key.scope());
    }

    /** Returns a text as a name or a value in an address. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

package dev.duetime.console;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to the console, whatever server received it. Immutable and thread-safe.
 *
 * @param method the method in upper case
 * @param path the decoded path below the console's own, beginning with a slash
 * @param parameters the decoded parameters of the address, and of the form if there is one
 * @param headers the headers, with names in lower case
 * @param remote the address of the other end of the connection, which may be a proxy
 */
public record ConsoleRequest(
        String method,
        String path,
        Map<String, List<String>> parameters,
        Map<String, String> headers,
        InetAddress remote) {

    /** Copies the maps. */
    public ConsoleRequest {
        parameters = Map.copyOf(parameters);
        headers = Map.copyOf(headers);
    }

    /** Returns the first value of a parameter that is not empty; null if there is none. */
    public @Nullable String parameter(String name) {
        return parameters.getOrDefault(name, List.of()).stream()
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** Returns all values of a parameter. */
    public List<String> all(String name) {
        return parameters.getOrDefault(name, List.of());
    }

    /** Returns the value of a header; null if there is none. */
    public @Nullable String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** Returns the value of a cookie; null if there is none. */
    public @Nullable String cookie(String name) {
        String all = headers.getOrDefault("cookie", "");
        for (String each : all.split(";", -1)) {
            String cookie = each.strip();
            if (cookie.startsWith(name + "=")) {
                return cookie.substring(name.length() + 1);
            }
        }
        return null;
    }
}

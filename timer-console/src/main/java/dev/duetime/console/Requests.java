package dev.duetime.console;

import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests made from what servers give: raw paths, queries and forms. */
final class Requests {

    private Requests() {}

    /** Returns a request. What cannot be decoded is left out. */
    static ConsoleRequest of(
            String method,
            String base,
            @Nullable String rawPath,
            @Nullable String rawQuery,
            byte[] form,
            Map<String, String> headers,
            InetAddress remote) {
        Map<String, List<String>> parameters = parameters(rawQuery);
        if (headers.getOrDefault("content-type", "").startsWith("application/x-www-form-urlencoded")) {
            read(new String(form, StandardCharsets.UTF_8), parameters);
        }
        return new ConsoleRequest(method, below(base, rawPath), parameters, headers, remote);
    }

    /** Returns the parameters of an address. What cannot be decoded is left out. */
    static Map<String, List<String>> parameters(@Nullable String rawQuery) {
        Map<String, List<String>> parameters = new HashMap<>();
        read(rawQuery == null ? "" : rawQuery, parameters);
        return parameters;
    }

    /** A proxy may have taken away the base path already. */
    private static String below(String base, @Nullable String rawPath) {
        String path = rawPath == null || rawPath.isEmpty() ? "/" : rawPath;
        if (!base.isEmpty() && (path.equals(base) || path.startsWith(base + "/"))) {
            path = path.substring(base.length());
        }
        return path.isEmpty() ? "/" : path;
    }

    private static void read(String encoded, Map<String, List<String>> parameters) {
        for (String each : encoded.split("&", -1)) {
            int equals = each.indexOf('=');
            String name = equals > 0 ? decoded(each.substring(0, equals)) : null;
            String value = decoded(each.substring(equals + 1));
            if (name != null && value != null) {
                parameters.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
            }
        }
    }

    /** Returns the text; null if it is not encoded. */
    private static @Nullable String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}

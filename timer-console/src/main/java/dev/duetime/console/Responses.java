package dev.duetime.console;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers with the headers that each of them has. */
final class Responses {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private Responses() {}

    static ConsoleResponse page(int status, String html) {
        return of(status, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static ConsoleResponse redirect(String address) {
        return of(303, "text/plain; charset=utf-8", new byte[0], Map.of("Location", address));
    }

    static ConsoleResponse asset(String type, byte[] body, String tag) {
        return of(200, type, body, Map.of("Cache-Control", "public, max-age=300", "ETag", tag));
    }

    static ConsoleResponse stream(ConsoleResponse.@Nullable Stream stream) {
        ConsoleResponse empty = of(200, "text/event-stream", new byte[0], Map.of("X-Accel-Buffering", "no"));
        return new ConsoleResponse(200, empty.headers(), empty.body(), stream);
    }

    static ConsoleResponse with(ConsoleResponse response, String header, String value) {
        Map<String, String> headers = new HashMap<>(response.headers());
        headers.put(header, value);
        return new ConsoleResponse(response.status(), headers, response.body(), response.stream());
    }

    private static ConsoleResponse of(int status, String type, byte[] body, Map<String, String> more) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Type", type);
        headers.put("Cache-Control", "no-store");
        headers.put("Content-Security-Policy", POLICY);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Referrer-Policy", "same-origin");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.putAll(more);
        return new ConsoleResponse(status, headers, body, null);
    }
}

package dev.duetime.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that pages need: a style sheet, two scripts and an icon. Thread-safe. */
final class Assets {
    private static final Map<String, String> TYPES = Map.of(
            "console.css", "text/css; charset=utf-8",
            "console.js", "text/javascript; charset=utf-8",
            "htmx.min.js", "text/javascript; charset=utf-8",
            "icon.svg", "image/svg+xml");

    private final Map<String, byte[]> files = new HashMap<>();

    Assets() {
        for (String name : TYPES.keySet()) {
            try (InputStream file = Assets.class.getResourceAsStream("assets/" + name)) {
                if (file != null) {
                    files.put(name, file.readAllBytes());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns a file; null if there is none of that name. */
    @Nullable
    ConsoleResponse find(String name) {
        byte[] file = files.get(name);
        return file == null
                ? null
                : Responses.asset(
                        TYPES.getOrDefault(name, "application/octet-stream"),
                        file,
                        "\"" + Integer.toHexString(java.util.Arrays.hashCode(file)) + "\"");
    }
}

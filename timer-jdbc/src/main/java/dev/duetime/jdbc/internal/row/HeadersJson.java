package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.JsonText;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Headers as a JSON object of strings, sorted by name so that equal headers are equal text: PostgreSQL compares them as
 * text. Trace context, which is not compared, has its own column in the same form. No headers are NULL.
 */
final class HeadersJson {
    private static final JsonMapper MAPPER = JsonText.mapper();
    private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {};

    /** Bounds memory: so many names of headers are shared by all rows. */
    private static final int MOST_NAMES = 1_000;

    private static final int LONGEST_NAME = 255;

    /** The names of headers. Most rows have the same ones, and thousands of rows are in memory. */
    private static final Map<String, String> NAMES = new ConcurrentHashMap<>();

    private HeadersJson() {}

    private static String known(String name) {
        String same = NAMES.get(name);
        if (same == null && name.length() <= LONGEST_NAME && NAMES.size() < MOST_NAMES) {
            same = NAMES.putIfAbsent(name, name);
        }
        return same == null ? name : same;
    }

    static @Nullable String write(Map<String, String> headers) {
        return headers.isEmpty() ? null : MAPPER.writeValueAsString(new TreeMap<>(headers));
    }

    /**
     * Returns the headers of a row.
     *
     * @throws IllegalArgumentException if a column is not a JSON object of strings; the message does not quote it
     */
    static Map<String, String> read(@Nullable String headers, @Nullable String trace) {
        Map<String, String> ofUser = object("headers", headers);
        if (trace == null) {
            return ofUser;
        }
        Map<String, String> all = new HashMap<>(object("trace", trace));
        all.putAll(ofUser);
        return Map.copyOf(all);
    }

    private static Map<String, String> object(String name, @Nullable String column) {
        if (column == null) {
            return Map.of();
        }
        try {
            Map<String, String> read = new HashMap<>();
            MAPPER.readValue(column, TYPE).forEach((header, value) -> read.put(known(header), value));
            return Map.copyOf(read);
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException(name + " must be a JSON object of strings");
        }
    }
}

package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.JsonText;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
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

    private HeadersJson() {}

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
            return Map.copyOf(MAPPER.readValue(column, TYPE));
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException(name + " must be a JSON object of strings");
        }
    }
}

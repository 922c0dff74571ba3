package dev.duetime.jdbc;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps headers as a JSON object of strings, sorted by name so that equal headers are equal text: PostgreSQL compares them as
 * such. No headers are NULL.
 */
final class HeadersJson {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {};

    private HeadersJson() {}

    static @Nullable String write(Map<String, String> headers) {
        return headers.isEmpty() ? null : MAPPER.writeValueAsString(new TreeMap<>(headers));
    }

    /**
     * Returns the headers of a column.
     *
     * @throws IllegalArgumentException if it is not a JSON object of strings; the message does not quote it
     */
    static Map<String, String> read(@Nullable String column) {
        if (column == null) {
            return Map.of();
        }
        try {
            return Map.copyOf(MAPPER.readValue(column, TYPE));
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException("headers must be a JSON object of strings");
        }
    }
}

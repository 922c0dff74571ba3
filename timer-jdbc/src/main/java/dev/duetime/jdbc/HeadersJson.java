package dev.duetime.jdbc;

import dev.duetime.TraceHeaders;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps headers as a JSON object of strings, sorted by name so that equal headers are equal text: PostgreSQL compares them as
 * such. What it is not to compare, trace context, is on a second line. No headers are NULL.
 */
final class HeadersJson {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {};

    private static final String NONE = "{}";
    /** Not the platform's: the statement looks for this one. JSON has none inside of strings. */
    private static final char LINE_FEED = '\n';

    private HeadersJson() {}

    static @Nullable String write(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        Map<String, String> trace = TraceHeaders.of(headers);
        if (trace.isEmpty()) {
            return json(headers);
        }
        String compared = json(TraceHeaders.without(headers));
        String separator = compared.equals(NONE) ? "" : ",";
        return compared.substring(0, compared.length() - 1)
                + LINE_FEED
                + separator
                + json(trace).substring(1);
    }

    private static String json(Map<String, String> headers) {
        return MAPPER.writeValueAsString(new TreeMap<>(headers));
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

package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.JsonText;
import dev.duetime.internal.Limits;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Headers as a JSON object of strings, sorted by name so that equal headers are equal text: PostgreSQL compares them as
 * text. Trace context, which is not compared, has its own column in the same form. No headers are NULL.
 */
final class HeadersJson {
    private static final JsonMapper MAPPER = JsonText.mapper();

    /** Bounds memory: so many names of headers are shared by all rows. */
    private static final int MOST_NAMES = 1_000;

    private static final int LONGEST_NAME = 255;

    /** The longest name and value of a header, each character escaped, and what is between them. */
    private static final int LONGEST_HEADER = 6 * (Limits.NAME_LENGTH + Limits.HEADER_LENGTH) + 16;

    /** No column that this library wrote is longer. A longer text is not parsed. */
    static final int LONGEST = Limits.HEADERS * LONGEST_HEADER;

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
     * @throws IllegalArgumentException if a column is not a JSON object of strings, or larger than a schedule allows;
     *     the message does not quote it
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
        if (column.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "%s must be at most %s characters but was %s".formatted(name, LONGEST, column.length()));
        }
        try (JsonParser parser = JsonText.parser(column)) {
            Map<String, String> read = object(name, parser);
            if (read == null || parser.nextToken() != null) {
                throw notOfStrings(name);
            }
            return Map.copyOf(read);
        } catch (JacksonException e) {
            throw notOfStrings(name);
        }
    }

    private static @Nullable Map<String, String> object(String name, JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return null;
        }
        Map<String, String> read = new HashMap<>();
        int count = 0;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String header = known(parser.currentName());
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_NULL || !value.isScalarValue()) {
                return null;
            }
            read.put(header, parser.getString());
            if (++count > Limits.HEADERS) {
                throw new IllegalArgumentException(
                        "%s must be at most %s but were more".formatted(name, Limits.HEADERS));
            }
        }
        return parser.currentToken() == JsonToken.END_OBJECT ? read : null;
    }

    private static IllegalArgumentException notOfStrings(String name) {
        return new IllegalArgumentException(name + " must be a JSON object of strings");
    }
}

package dev.duetime.internal;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;

/**
 * The fields of one JSON object. Each error names the field and never quotes the payload. The payload is cut out of the
 * text as it is, so that numbers keep the form in which they were written. Immutable and thread-safe.
 */
public final class JsonFields {
    private static final String WHOLE = "$";
    private static final String NULL = "null";

    private final Map<String, String> fields;
    private final Refusal refusal;

    /** A factory of exceptions for malformed messages. */
    @FunctionalInterface
    public interface Refusal {
        /**
         * Returns the exception.
         *
         * @param field the name of the field, or {@code $} for the message as a whole
         */
        RuntimeException of(String field, String reason);
    }

    private JsonFields(Map<String, String> fields, Refusal refusal) {
        this.fields = fields;
        this.refusal = refusal;
    }

    /**
     * Splits an object into the texts of its fields. If a field is there twice, the last one counts.
     *
     * @param refusal creates what is thrown if the text is not UTF-8 or not one JSON object, and later for each field
     *     that is missing or malformed
     */
    public static JsonFields parse(byte[] json, Refusal refusal) {
        try {
            return parse(JsonText.utf8(json), refusal);
        } catch (CharacterCodingException e) {
            throw refusal.of(WHOLE, "message must be UTF-8");
        }
    }

    /** Splits an object; otherwise as {@link #parse(byte[], Refusal)}. */
    public static JsonFields parse(String json, Refusal refusal) {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = JsonText.parser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw refusal.of(WHOLE, "message must be a JSON object");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, cut(parser, json));
            }
            if (parser.nextToken() != null) {
                throw refusal.of(WHOLE, "message must be one JSON object but more follows it");
            }
        } catch (JacksonException e) {
            throw malformed(WHOLE, e, refusal);
        }
        return new JsonFields(fields, refusal);
    }

    private static String cut(JsonParser parser, String json) {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        return json.substring(start, (int) parser.currentLocation().getCharOffset());
    }

    /** Returns the refusal of what is no JSON. Jackson's own message quotes the text, which may be payload. */
    private static RuntimeException malformed(String field, JacksonException e, Refusal refusal) {
        String what = field.equals(WHOLE) ? "message" : field;
        TokenStreamLocation place = e.getLocation();
        long offset = place == null ? -1 : place.getCharOffset();
        return refusal.of(
                field,
                "%s must be %s but is malformed%s"
                        .formatted(what, JsonText.BOUNDS, offset < 0 ? "" : " at character " + offset));
    }

    /** Returns whether the field is there and not {@code null}. */
    public boolean has(String field) {
        return !fields.getOrDefault(field, NULL).equals(NULL);
    }

    /**
     * Returns a field that must be there.
     *
     * @param max how many characters it may have
     */
    public String text(String field, int max) {
        String value = optionalText(field, max);
        if (value == null) {
            throw refusal.of(field, field + " is missing");
        }
        return value;
    }

    /** Returns a field, null if it is not there; otherwise as {@link #text}. */
    public @Nullable String optionalText(String field, int max) {
        String value = has(field) ? string(field, node(field)) : null;
        return value == null ? null : checked(() -> Limits.text(field, value, max));
    }

    /** Returns a time that must be there, in ISO-8601 with an offset. */
    public Instant instant(String field) {
        String text = text(field, Limits.NAME_LENGTH);
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            return checked(() -> Limits.instant(field, time));
        } catch (DateTimeException e) {
            throw refusal.of(
                    field,
                    "%s must be an ISO-8601 instant such as 2026-11-21T10:15:00Z but was %s"
                            .formatted(field, Limits.shown(text)));
        }
    }

    /** Returns a time, null if it is not there; otherwise as {@link #instant}. */
    public @Nullable Instant optionalInstant(String field) {
        return has(field) ? instant(field) : null;
    }

    /** Returns a duration that must be there, in ISO-8601. */
    public Duration duration(String field) {
        String text = text(field, Limits.NAME_LENGTH);
        try {
            return Duration.parse(text);
        } catch (DateTimeException e) {
            throw refusal.of(
                    field,
                    "%s must be an ISO-8601 duration such as PT15M but was %s".formatted(field, Limits.shown(text)));
        }
    }

    /** Returns a whole number that must be there. */
    public int number(String field) {
        JsonNode node = has(field) ? node(field) : null;
        if (node == null || !node.isIntegralNumber() || !node.canConvertToInt()) {
            String was = node == null ? "missing" : Limits.shown(node.toString());
            throw refusal.of(field, "%s must be a whole number but was %s".formatted(field, was));
        }
        return node.asInt();
    }

    /** Returns the constant of that name, written as it is. */
    public <E extends Enum<E>> E choice(String field, Class<E> choices) {
        String text = text(field, Limits.NAME_LENGTH);
        List<E> all = List.of(choices.getEnumConstants());
        return all.stream()
                .filter(each -> each.name().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        refusal.of(field, "%s must be one of %s but was %s".formatted(field, all, Limits.shown(text))));
    }

    /** Returns a field that is true or false; false if it is not there. */
    public boolean flag(String field) {
        if (!has(field)) {
            return false;
        }
        JsonNode node = node(field);
        if (!node.isBoolean()) {
            throw refusal.of(field, field + " must be true or false");
        }
        return node.booleanValue();
    }

    /** Returns an object of strings; empty if it is not there. */
    public Map<String, String> headers(String field) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!has(field)) {
            return headers;
        }
        JsonNode node = node(field);
        if (!node.isObject()) {
            throw refusal.of(field, field + " must be an object of strings");
        }
        node.properties()
                .forEach(each -> headers.put(
                        each.getKey(), string(field + "." + Printable.line(each.getKey()), each.getValue())));
        return headers;
    }

    /**
     * Returns the text of {@code payload} as it was written, {@code null} too, or the bytes of {@code payloadBase64}.
     */
    public byte[] payload() {
        if (!has("payloadBase64") || has("payload")) {
            return fields.getOrDefault("payload", "").getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(string("payloadBase64", node("payloadBase64")));
        } catch (IllegalArgumentException e) {
            throw refusal.of("payloadBase64", "payloadBase64 must be a string in Base64");
        }
    }

    private String string(String field, JsonNode node) {
        if (!node.isString()) {
            throw refusal.of(field, field + " must be a string");
        }
        return node.stringValue();
    }

    private JsonNode node(String field) {
        try {
            return JsonText.mapper().readTree(fields.getOrDefault(field, NULL));
        } catch (JacksonException e) {
            throw malformed(field, e, refusal);
        }
    }

    /** Returns what the check returns. If the check finds a field out of bounds, the message is malformed there. */
    public <T> T checked(Supplier<T> check) {
        try {
            return check.get();
        } catch (LimitException e) {
            throw refusal.of(e.field(), String.valueOf(Errors.message(e)));
        }
    }
}

package dev.duetime;

import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Printable;
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
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the fields of one JSON object and names the field in each error. The payload is cut out of the text as it stands,
 * so that numbers keep the form in which they were written. Messages never quote it.
 */
public final class JsonFields {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String WHOLE = "$";
    private static final String NULL = "null";

    private final Map<String, String> fields;

    private JsonFields(Map<String, String> fields) {
        this.fields = fields;
    }

    /**
     * Splits an object into the texts of its fields; of a field that is there twice the last counts.
     *
     * @throws MalformedMessageException if it is not UTF-8, or not one JSON object
     */
    public static JsonFields parse(byte[] json) {
        try {
            return parse(JsonText.utf8(json));
        } catch (CharacterCodingException e) {
            throw new MalformedMessageException(WHOLE, "message must be UTF-8");
        }
    }

    /**
     * Splits an object into the texts of its fields; of a field that is there twice the last counts.
     *
     * @throws MalformedMessageException if it is not one JSON object
     */
    public static JsonFields parse(String json) {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = JsonText.parser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedMessageException(WHOLE, "message must be a JSON object");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, cut(parser, json));
            }
            if (parser.nextToken() != null) {
                throw new MalformedMessageException(WHOLE, "message must be one JSON object but more follows it");
            }
        } catch (JacksonException e) {
            throw malformed(WHOLE, e);
        }
        return new JsonFields(fields);
    }

    private static String cut(JsonParser parser, String json) {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        return json.substring(start, (int) parser.currentLocation().getCharOffset());
    }

    /** Returns the refusal of what is no JSON. Jackson's own message quotes the text, which may be payload. */
    static MalformedMessageException malformed(String field, JacksonException e) {
        String what = field.equals(WHOLE) ? "message" : field;
        TokenStreamLocation place = e.getLocation();
        long offset = place == null ? -1 : place.getCharOffset();
        return new MalformedMessageException(
                field,
                "%s must be %s but is malformed%s"
                        .formatted(what, JsonText.BOUNDS, offset < 0 ? "" : " at character " + offset));
    }

    public boolean has(String field) {
        return !fields.getOrDefault(field, NULL).equals(NULL);
    }

    public String text(String field, int max) {
        String value = optionalText(field, max);
        if (value == null) {
            throw new MalformedMessageException(field, field + " is missing");
        }
        return value;
    }

    @Nullable
    String optionalText(String field, int max) {
        String value = has(field) ? string(field, node(field)) : null;
        return value == null ? null : checked(() -> Limits.text(field, value, max));
    }

    public TimerKey key() {
        return new TimerKey(text("tenantId", Limits.KEY_LENGTH), text("timerId", Limits.KEY_LENGTH));
    }

    /** Returns the key of a timer, or of a todo if there is a scope. */
    TimerKey keyOfAny() {
        String scope = optionalText("scope", Limits.QUEUE_LENGTH);
        TimerKey key = key();
        return scope == null ? key : TimerKey.ofTodo(key.tenantId(), scope, key.timerId());
    }

    public Instant instant(String field) {
        String text = text(field, Limits.NAME_LENGTH);
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            return checked(() -> Limits.instant(field, time));
        } catch (DateTimeException e) {
            throw new MalformedMessageException(
                    field,
                    "%s must be an ISO-8601 instant such as 2026-11-21T10:15:00Z but was %s"
                            .formatted(field, Limits.shown(text)));
        }
    }

    @Nullable
    Instant optionalInstant(String field) {
        return has(field) ? instant(field) : null;
    }

    public Duration duration(String field) {
        String text = text(field, Limits.NAME_LENGTH);
        try {
            return Duration.parse(text);
        } catch (DateTimeException e) {
            throw new MalformedMessageException(
                    field,
                    "%s must be an ISO-8601 duration such as PT15M but was %s".formatted(field, Limits.shown(text)));
        }
    }

    public int number(String field) {
        JsonNode node = has(field) ? node(field) : null;
        if (node == null || !node.isIntegralNumber() || !node.canConvertToInt()) {
            String was = node == null ? "missing" : Limits.shown(node.toString());
            throw new MalformedMessageException(field, "%s must be a whole number but was %s".formatted(field, was));
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
                .orElseThrow(() -> new MalformedMessageException(
                        field, "%s must be one of %s but was %s".formatted(field, all, Limits.shown(text))));
    }

    public boolean flag(String field) {
        if (!has(field)) {
            return false;
        }
        JsonNode node = node(field);
        if (!node.isBoolean()) {
            throw new MalformedMessageException(field, field + " must be true or false");
        }
        return node.booleanValue();
    }

    public Map<String, String> headers(String field) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!has(field)) {
            return headers;
        }
        JsonNode node = node(field);
        if (!node.isObject()) {
            throw new MalformedMessageException(field, field + " must be an object of strings");
        }
        node.properties()
                .forEach(each -> headers.put(
                        each.getKey(), string(field + "." + Printable.line(each.getKey()), each.getValue())));
        return headers;
    }

    /** Returns what stands as {@code payload}, as it was written and null too, or what {@code payloadBase64} stands for. */
    public Payload payload() {
        if (!has("payloadBase64") || has("payload")) {
            return Payload.wrap(fields.getOrDefault("payload", "").getBytes(StandardCharsets.UTF_8));
        }
        try {
            return Payload.wrap(Base64.getDecoder().decode(string("payloadBase64", node("payloadBase64"))));
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException("payloadBase64", "payloadBase64 must be a string in Base64");
        }
    }

    private static String string(String field, JsonNode node) {
        if (!node.isString()) {
            throw new MalformedMessageException(field, field + " must be a string");
        }
        return node.stringValue();
    }

    private JsonNode node(String field) {
        try {
            return MAPPER.readTree(fields.getOrDefault(field, NULL));
        } catch (JacksonException e) {
            throw malformed(field, e);
        }
    }

    /** Returns what the check returns; where it finds a field out of bounds, the message is malformed there. */
    public static <T> T checked(Supplier<T> check) {
        try {
            return check.get();
        } catch (LimitException e) {
            throw new MalformedMessageException(e.field(), String.valueOf(e.getMessage()));
        }
    }
}

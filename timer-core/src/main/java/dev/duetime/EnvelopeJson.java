package dev.duetime;

import dev.duetime.internal.JsonFields;
import dev.duetime.internal.Limits;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** The JSON forms of {@link Envelope} and {@link DueTimeReached}. */
final class EnvelopeJson {
    private static final String EVENT = "DueTimeReached";
    private static final JsonMapper MAPPER = new JsonMapper();

    private EnvelopeJson() {}

    static String write(Envelope envelope) {
        return object(json -> {
            json.writeStringProperty("id", envelope.id());
            event(json, envelope.event());
            json.writeStringProperty("queue", envelope.queue());
            json.writeNumberProperty("attempt", envelope.attempt());
            json.writeNumberProperty("priority", envelope.priority());
            headers(json, envelope.headers());
            String parallelKey = envelope.parallelKey();
            if (parallelKey != null) {
                json.writeStringProperty("parallelKey", parallelKey);
            }
            payload(json, envelope.event().payload());
        });
    }

    static String write(DueTimeReached event) {
        return object(json -> {
            event(json, event);
            payload(json, event.payload());
        });
    }

    static Envelope read(String text) {
        JsonFields fields = JsonFields.parse(text, MalformedMessageException::new);
        return new Envelope(
                fields.text("id", Limits.NAME_LENGTH),
                fields.text("queue", Limits.QUEUE_LENGTH),
                fields.number("attempt"),
                fields.number("priority"),
                fields.headers("headers"),
                fields.optionalText("parallelKey", Limits.NAME_LENGTH),
                event(fields));
    }

    static DueTimeReached readEvent(String text) {
        return event(JsonFields.parse(text, MalformedMessageException::new));
    }

    private static DueTimeReached event(JsonFields fields) {
        String event = fields.text("event", Limits.NAME_LENGTH);
        if (!event.equals(EVENT)) {
            throw new MalformedMessageException(
                    "event", "event must be %s but was %s".formatted(EVENT, Limits.shown(event)));
        }
        return new DueTimeReached(
                key(fields),
                fields.text("type", Limits.NAME_LENGTH),
                fields.instant("dueAt"),
                fields.instant("reachedAt"),
                fields.optionalInstant("expiresAt"),
                fields.optionalInstant("previous"),
                fields.optionalText("correlationId", Limits.NAME_LENGTH),
                Payload.wrap(fields.payload()));
    }

    /** Returns the key of a timer, or of a todo if there is a scope. */
    private static TimerKey key(JsonFields fields) {
        String tenantId = fields.text("tenantId", Limits.KEY_LENGTH);
        String timerId = fields.text("timerId", Limits.KEY_LENGTH);
        String scope = fields.optionalText("scope", Limits.QUEUE_LENGTH);
        return scope == null ? new TimerKey(tenantId, timerId) : TimerKey.ofTodo(tenantId, scope, timerId);
    }

    private static void event(JsonGenerator json, DueTimeReached event) {
        json.writeStringProperty("event", EVENT);
        json.writeStringProperty("tenantId", event.key().tenantId());
        json.writeStringProperty("timerId", event.key().timerId());
        if (event.key().isOfTodo()) {
            json.writeStringProperty("scope", event.key().scope());
        }
        json.writeStringProperty("type", event.type());
        json.writeStringProperty("dueAt", event.dueAt().toString());
        json.writeStringProperty("reachedAt", event.reachedAt().toString());
        Instant expiresAt = event.expiresAt();
        if (expiresAt != null) {
            json.writeStringProperty("expiresAt", expiresAt.toString());
        }
        Instant previous = event.previous();
        if (previous != null) {
            json.writeStringProperty("previous", previous.toString());
        }
        String correlationId = event.correlationId();
        if (correlationId != null) {
            json.writeStringProperty("correlationId", correlationId);
        }
    }

    private static void headers(JsonGenerator json, Map<String, String> headers) {
        if (headers.isEmpty()) {
            return;
        }
        json.writeObjectPropertyStart("headers");
        new TreeMap<>(headers).forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private static void payload(JsonGenerator generator, Payload payload) {
        if (payload.isEmpty()) {
            return;
        }
        String json = payload.inMessage();
        if (json == null) {
            generator.writeName("payloadBase64");
            generator.writeBinary(payload.bytes());
        } else {
            generator.writeName("payload");
            generator.writeRawValue(json);
        }
    }

    private static String object(Consumer<JsonGenerator> properties) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = MAPPER.createGenerator(text)) {
            json.writeStartObject();
            properties.accept(json);
            json.writeEndObject();
        }
        return text.toString();
    }
}

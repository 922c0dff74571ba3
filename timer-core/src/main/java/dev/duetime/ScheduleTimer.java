package dev.duetime;

import java.nio.charset.StandardCharsets;

/**
 * Reads the {@code ScheduleTimer} command, by which another program asks for a timer through a broker:
 *
 * <pre>{@code
 * {"tenantId":"acme","timerId":"order-17","dueAt":"2026-11-21T10:15:00Z","correlationId":"c-1","payload":{"orderId":17}}
 * }</pre>
 *
 * <p>{@code tenantId} and {@code timerId} are required, and one of {@code dueAt} (ISO-8601 with an offset) and {@code
 * delay} (ISO-8601 duration, counted from the handling: a command that arrives twice moves its timer, so prefer {@code
 * dueAt}). Optional: {@code correlationId}, {@code type}, {@code queue}, {@code priority}, {@code expiresAt} or {@code
 * validFor} (ISO-8601 duration, counted from the due time), {@code headers} (an object of strings), {@code rearm} and
 * {@code payload} (any JSON; kept as it was written). Unknown fields are ignored, so that newer senders do no harm.
 * Thread-safe.
 */
public final class ScheduleTimer {

    private ScheduleTimer() {}

    /**
     * Returns the timer that the command asks for.
     *
     * @param command JSON in UTF-8
     * @throws MalformedMessageException if it is not JSON, or a field is missing or malformed; names the field
     */
    public static Timer parse(byte[] command) {
        JsonFields fields = JsonFields.parse(command);
        return JsonFields.checked(() -> read(fields));
    }

    /**
     * Returns the timer that the command asks for.
     *
     * @throws MalformedMessageException as {@link #parse(byte[])}
     */
    public static Timer parse(String command) {
        return parse(command.getBytes(StandardCharsets.UTF_8));
    }

    private static Timer read(JsonFields fields) {
        TimerKey key = fields.key();
        Timer.Builder timer = due(fields, key);
        if (fields.has("correlationId")) {
            timer.correlationId(fields.text("correlationId", Limits.NAME_LENGTH));
        }
        if (fields.has("type")) {
            timer.type(fields.text("type", Limits.NAME_LENGTH));
        }
        if (fields.has("queue")) {
            timer.queue(fields.text("queue", Limits.QUEUE_LENGTH));
        }
        if (fields.has("priority")) {
            timer.priority(fields.number("priority"));
        }
        if (fields.has("expiresAt")) {
            timer.expiresAt(fields.instant("expiresAt"));
        }
        if (fields.has("validFor")) {
            timer.validFor(fields.duration("validFor"));
        }
        if (fields.flag("rearm")) {
            timer.rearm();
        }
        fields.headers("headers").forEach(timer::header);
        return timer.payload(fields.payload()).build();
    }

    private static Timer.Builder due(JsonFields fields, TimerKey key) {
        if (!fields.has("delay")) {
            return Timer.at(key, fields.instant("dueAt"));
        }
        if (fields.has("dueAt")) {
            throw new MalformedMessageException("delay", "delay must not be given together with dueAt");
        }
        return Timer.after(key, fields.duration("delay"));
    }
}

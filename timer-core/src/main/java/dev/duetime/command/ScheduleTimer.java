package dev.duetime.command;

import dev.duetime.MalformedMessageException;
import dev.duetime.Payload;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.internal.JsonFields;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.timer.DeclaredTimers;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;

/**
 * The reader of {@code ScheduleTimer} commands, by which another program asks for a timer through a broker:
 *
 * <pre>{@code
 * {"tenantId":"acme","timerId":"order-17","dueAt":"2026-11-21T10:15:00Z",
 *  "correlationId":"c-1","payload":{"orderId":17}}
 * }</pre>
 *
 * <p>{@code tenantId} and {@code timerId} are required, and one of {@code dueAt} (ISO-8601 with an offset), {@code
 * delay} (ISO-8601 duration, counted from the handling: a command that arrives twice moves its timer, so prefer {@code
 * dueAt}) and {@code recurrence} (what {@link Recurrence#parse} reads, such as {@code day Europe/Berlin}; a command
 * that arrives twice changes nothing), the last perhaps with {@code catchUp} (the name of a {@link CatchUp}). Optional:
 * {@code correlationId}, {@code type}, {@code queue}, {@code priority}, {@code expiresAt} or {@code validFor} (ISO-8601
 * duration, counted from the due time), {@code headers} (an object of strings), {@code rearm} and {@code payload} (any
 * JSON, null too; kept as it was written). Unknown fields are ignored, so that newer senders do no harm. JSON has at
 * most 500 levels, numbers of 1,000 digits and names of 50,000 characters. Thread-safe.
 */
public final class ScheduleTimer {

    private ScheduleTimer() {}

    /**
     * Returns the timer that the command asks for.
     *
     * @param command JSON in UTF-8
     * @throws MalformedMessageException if it is not JSON, or a field is missing or malformed, or it recurs by a cron
     *     expression and cron-utils is not there; names the field; never anything else, whatever the bytes
     */
    public static Timer parse(byte[] command) {
        JsonFields fields = JsonFields.parse(command, MalformedMessageException::new);
        return fields.checked(() -> read(fields));
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
        TimerKey key =
                new TimerKey(fields.text("tenantId", Limits.KEY_LENGTH), fields.text("timerId", Limits.KEY_LENGTH));
        if (DeclaredTimers.isOne(key)) {
            throw new LimitException(
                    "tenantId", "tenantId must not be " + DeclaredTimers.TENANT + ", whose timers nodes declare");
        }
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
        return timer.payload(Payload.wrap(fields.payload())).build();
    }

    private static Timer.Builder due(JsonFields fields, TimerKey key) {
        if (fields.has("recurrence")) {
            alone(fields, "recurrence", "dueAt", "delay");
            return Timer.recurring(key, recurrence(fields));
        }
        if (fields.has("catchUp")) {
            throw new MalformedMessageException("catchUp", "catchUp must not be given without recurrence");
        }
        if (fields.has("delay")) {
            alone(fields, "delay", "dueAt");
            return Timer.after(key, fields.duration("delay"));
        }
        return Timer.at(key, fields.instant("dueAt"));
    }

    private static void alone(JsonFields fields, String field, String... others) {
        for (String other : others) {
            if (fields.has(other)) {
                throw new MalformedMessageException(field, field + " must not be given together with " + other);
            }
        }
    }

    private static Recurrence recurrence(JsonFields fields) {
        String text = fields.text("recurrence", Limits.RECURRENCE_LENGTH);
        Recurrence recurrence = Recurrence.parse(text);
        if (!fields.has("catchUp")) {
            return recurrence;
        }
        if (text.contains("catchUp=")) {
            throw new MalformedMessageException("catchUp", "catchUp must not be given twice but is in recurrence, too");
        }
        return recurrence.catchUp(fields.choice("catchUp", CatchUp.class));
    }
}

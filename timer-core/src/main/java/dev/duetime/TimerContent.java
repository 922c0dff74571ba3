package dev.duetime;

import dev.duetime.internal.Limits;
import dev.duetime.internal.TraceHeaders;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Is all that a timer says, beside its key: what is stored by an accepted schedule and compared by a repeat: two
 * contents that {@linkplain #saysTheSameAs say the same} make the second schedule {@link ScheduleOutcome#UNCHANGED}.
 * Immutable and thread-safe.
 *
 * @param queue where it is delivered
 * @param dueAt when, in whole microseconds; if it recurs, its current occurrence
 * @param expiresAt the last instant at which delivery is still worth it, in whole microseconds; null for ever
 * @param type the user's name for this kind of timer
 * @param payload what it carries
 * @param headers what travels beside the payload
 * @param priority among due timers read together, higher goes first
 * @param correlationId the user's id of the conversation it belongs to
 * @param parallelKey timers of one such key lie in one shard; null if it lies where its own key says
 * @param correlationKey timers of one such key in a queue may be {@linkplain dev.duetime.todo.Merge merged}; null if it is never
 * @param recurrence the text of its {@link Recurrence}, without how it catches up; null for once
 * @param catchUp what becomes of its missed occurrences, {@link CatchUp#LATEST} if it recurs and null is given; null for once
 * @param step where a todo begins, by the name of its state; not null makes it one, which is never replaced while it is
 *     scheduled: a repeat of its key is {@link ScheduleOutcome#UNCHANGED} whatever it says; null for a timer
 */
public record TimerContent(
        String queue,
        Instant dueAt,
        @Nullable Instant expiresAt,
        String type,
        Payload payload,
        Map<String, String> headers,
        int priority,
        @Nullable String correlationId,
        @Nullable String parallelKey,
        @Nullable String correlationKey,
        @Nullable String recurrence,
        @Nullable CatchUp catchUp,
        @Nullable String step) {

    /** Copies the headers. */
    public TimerContent {
        headers = Map.copyOf(headers);
        if (recurrence == null) {
            catchUp = null;
        } else if (catchUp == null) {
            catchUp = CatchUp.LATEST;
        }
    }

    /**
     * Returns whether both are equal but for {@linkplain TraceHeaders trace headers}. Where they recur, due time and deadline
     * move on by themselves: of them, only the time between counts.
     */
    public boolean saysTheSameAs(TimerContent other) {
        return equals(other) || compared().equals(other.compared());
    }

    private TimerContent compared() {
        TimerContent said = with(payload, TraceHeaders.without(headers));
        return recurrence == null ? said : said.at(Instant.EPOCH);
    }

    /** Returns whether both recur by the same rule, however missed occurrences are caught up. */
    public boolean recursAs(TimerContent other) {
        return recurrence != null && recurrence.equals(other.recurrence);
    }

    /** Returns whether it recurs so, and catches up so. */
    public boolean recursBy(Recurrence given) {
        return rule(given).equals(recurrence) && given.catchUp() == catchUp;
    }

    /** Returns the text of a recurrence, without how it catches up. */
    static String rule(Recurrence recurrence) {
        return recurrence.catchUp(CatchUp.LATEST).toString();
    }

    /** Returns this content with another due time, and a deadline as long after it. */
    public TimerContent at(Instant occurrence) {
        Instant deadline = expiresAt == null ? null : Deadlines.after(occurrence, Duration.between(dueAt, expiresAt));
        return new TimerContent(
                queue,
                occurrence,
                deadline,
                type,
                payload,
                headers,
                priority,
                correlationId,
                parallelKey,
                correlationKey,
                recurrence,
                catchUp,
                step);
    }

    /** Returns this content with another step, start and payload. */
    public TimerContent advanced(@Nullable String nextStep, Instant startAt, Payload nextPayload) {
        return new TimerContent(
                queue,
                startAt,
                expiresAt,
                type,
                nextPayload,
                headers,
                priority,
                correlationId,
                parallelKey,
                correlationKey,
                recurrence,
                catchUp,
                nextStep);
    }

    /** Returns this content with another deadline. */
    public TimerContent expiringAt(@Nullable Instant deadline) {
        return new TimerContent(
                queue,
                dueAt,
                deadline,
                type,
                payload,
                headers,
                priority,
                correlationId,
                parallelKey,
                correlationKey,
                recurrence,
                catchUp,
                step);
    }

    /** Returns this content with another priority. */
    public TimerContent withPriority(int other) {
        return new TimerContent(
                queue,
                dueAt,
                expiresAt,
                type,
                payload,
                headers,
                other,
                correlationId,
                parallelKey,
                correlationKey,
                recurrence,
                catchUp,
                step);
    }

    /** Returns this content with another payload. */
    public TimerContent withPayload(Payload other) {
        return with(other, headers);
    }

    /**
     * Returns this content with the given headers, where it has none of the same name.
     *
     * @throws IllegalArgumentException if a name or value is out of the bounds of {@link Timer.Builder#header}, or there
     *     are more than 64 headers then
     */
    public TimerContent withMoreHeaders(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.forEach(Limits::header);
        all.putAll(headers);
        Limits.number("number of headers", all.size(), 0, Limits.HEADERS);
        return with(payload, all);
    }

    private TimerContent with(Payload otherPayload, Map<String, String> otherHeaders) {
        return new TimerContent(
                queue,
                dueAt,
                expiresAt,
                type,
                otherPayload,
                otherHeaders,
                priority,
                correlationId,
                parallelKey,
                correlationKey,
                recurrence,
                catchUp,
                step);
    }
}

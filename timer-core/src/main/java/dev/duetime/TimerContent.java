package dev.duetime;

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
 * @param correlationKey timers of one such key in a queue may be {@linkplain TimerMerge merged}; null if it is never
 * @param recurrence the text of its {@link Recurrence}; null for once
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
        @Nullable String step) {

    /** How the text of a {@link Recurrence} ends, if it does not catch up in the usual way. */
    private static final String CATCH_UP = " catchUp=";

    /** Copies the headers. */
    public TimerContent {
        headers = Map.copyOf(headers);
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
        return recurrence != null
                && other.recurrence != null
                && rule(recurrence).equals(rule(other.recurrence));
    }

    private static String rule(String recurrence) {
        int end = recurrence.indexOf(CATCH_UP);
        return end < 0 ? recurrence : recurrence.substring(0, end);
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
                step);
    }
}

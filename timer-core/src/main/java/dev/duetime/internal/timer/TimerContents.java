package dev.duetime.internal.timer;

import dev.duetime.Payload;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.internal.Limits;
import dev.duetime.internal.TraceHeaders;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The comparison of contents, and contents that differ in one thing from another one. */
public final class TimerContents {
    private TimerContents() {}

    /**
     * Returns whether a repeat with the one content changes nothing of the other: both are equal except for {@linkplain
     * TraceHeaders trace headers}. If they recur, due time and deadline move by themselves. So only the time between
     * these two counts.
     */
    public static boolean same(TimerContent one, TimerContent other) {
        return one.equals(other) || compared(one).equals(compared(other));
    }

    private static TimerContent compared(TimerContent content) {
        TimerContent comparable = withHeaders(content, TraceHeaders.without(content.headers()));
        return comparable.recurrence() == null ? comparable : at(comparable, Instant.EPOCH);
    }

    /** Returns whether both recur by the same rule, however missed occurrences are caught up. */
    public static boolean recurAlike(TimerContent one, TimerContent other) {
        return one.recurrence() != null && one.recurrence().equals(other.recurrence());
    }

    /** Returns whether the content has this recurrence, and catches up as it says. */
    public static boolean recursBy(TimerContent content, Recurrence given) {
        return rule(given).equals(content.recurrence()) && given.catchUp() == content.catchUp();
    }

    private static String rule(Recurrence recurrence) {
        return recurrence.catchUp(CatchUp.LATEST).toString();
    }

    /** Returns the content with another due time, and a deadline as long after it. */
    public static TimerContent at(TimerContent content, Instant occurrence) {
        Instant expiresAt = content.expiresAt();
        Instant deadline =
                expiresAt == null ? null : Limits.deadline(occurrence, Duration.between(content.dueAt(), expiresAt));
        return copy(
                content,
                occurrence,
                deadline,
                content.payload(),
                content.headers(),
                content.priority(),
                content.step());
    }

    /** Returns the content with another step, start and payload. */
    public static TimerContent advanced(TimerContent content, @Nullable String step, Instant startAt, Payload payload) {
        return copy(content, startAt, content.expiresAt(), payload, content.headers(), content.priority(), step);
    }

    /** Returns the content as a merge leaves it: with another start, deadline, priority and payload. */
    public static TimerContent merged(
            TimerContent content, Instant startAt, @Nullable Instant expiresAt, int priority, Payload payload) {
        return copy(content, startAt, expiresAt, payload, content.headers(), priority, content.step());
    }

    /** Returns the content with another payload. */
    public static TimerContent withPayload(TimerContent content, Payload payload) {
        return advanced(content, content.step(), content.dueAt(), payload);
    }

    /** Returns the content with another payload and other headers. */
    public static TimerContent with(TimerContent content, Payload payload, Map<String, String> headers) {
        return withHeaders(withPayload(content, payload), headers);
    }

    /**
     * Returns the content with the given headers, where it has none of the same name.
     *
     * @throws IllegalArgumentException if a name or value is out of the bounds of {@link Timer.Builder#header}, or
     *     there are more than 64 headers then
     */
    public static TimerContent withMoreHeaders(TimerContent content, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.forEach(Limits::header);
        all.putAll(content.headers());
        Limits.number("number of headers", all.size(), 0, Limits.HEADERS);
        return withHeaders(content, all);
    }

    private static TimerContent withHeaders(TimerContent content, Map<String, String> headers) {
        return copy(
                content,
                content.dueAt(),
                content.expiresAt(),
                content.payload(),
                headers,
                content.priority(),
                content.step());
    }

    private static TimerContent copy(
            TimerContent content,
            Instant dueAt,
            @Nullable Instant expiresAt,
            Payload payload,
            Map<String, String> headers,
            int priority,
            @Nullable String step) {
        return new TimerContent(
                content.queue(),
                dueAt,
                expiresAt,
                content.type(),
                payload,
                headers,
                priority,
                content.correlationId(),
                content.parallelKey(),
                content.correlationKey(),
                content.recurrence(),
                content.catchUp(),
                step);
    }
}

package dev.duetime.passage;

import dev.duetime.Envelope;
import dev.duetime.MalformedMessageException;
import dev.duetime.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The event that a period of time has passed. All cases are immutable, thread-safe, and equal iff all their fields are
 * equal.
 */
public sealed interface TimeHasPassed
        permits IntervalHasPassed,
                MinuteHasPassed,
                HourHasPassed,
                DayHasPassed,
                WorkingDayHasPassed,
                WeekHasPassed,
                MonthHasPassed,
                QuarterHasPassed,
                YearHasPassed {

    /**
     * Orders events by {@link #now}. For the same instant, shorter periods come first: interval, minute, hour, day,
     * working day, week, month, quarter, year.
     */
    Comparator<TimeHasPassed> ORDER =
            Comparator.comparing(TimeHasPassed::now).thenComparing(event -> PassedPeriods.rank(event.type()));

    /** Returns the boundary that was crossed: when the event was due, not when it was delivered. */
    Instant now();

    /**
     * Returns the boundary of the event before this one, null if this is the first. If periods were missed in between,
     * it is before {@link #start()}.
     */
    @Nullable
    Instant previous();

    /** Returns the period that has passed. */
    Span span();

    /** Returns the first instant of the period that has passed. */
    default Instant start() {
        return span().start();
    }

    /**
     * Returns the first instant after the period that has passed. It is {@link #now}, unless the zone's rules have
     * changed.
     */
    default Instant end() {
        return span().end();
    }

    /** Returns the zone whose clock counted the period; UTC for intervals. */
    default ZoneId zone() {
        return span().zone();
    }

    /** Returns the name of the event, such as {@code DayHasPassed}. */
    default String type() {
        return getClass().getSimpleName();
    }

    /**
     * Returns the event as one line of JSON:
     *
     * <pre>{@code
     * {"event":"DayHasPassed","now":"2026-11-20T23:00:00Z","previous":"2026-11-19T23:00:00Z","zone":"Europe/Berlin",
     *  "start":"2026-11-19T23:00:00Z","end":"2026-11-20T23:00:00Z","date":"2026-11-20"}
     * }</pre>
     *
     * <p>{@code previous} is absent on the first event. Other events have these fields instead of {@code date}: {@code
     * time} for minutes and hours, {@code firstDate} and {@code lastDate} for weeks, {@code month} for months, {@code
     * year}, {@code quarter} and {@code firstMonth} for quarters, {@code year} and {@code firstMonth} for years, {@code
     * length} for intervals.
     */
    default String toJson() {
        return PassageJson.write(this);
    }

    /**
     * Reads the JSON form. Unknown fields are ignored. It throws no other exception.
     *
     * @throws MalformedMessageException if the text is not JSON or no such event, or a field is missing or malformed
     */
    static TimeHasPassed fromJson(String json) {
        return PassageJson.read(json);
    }

    /**
     * Reads the event in the payload of an envelope.
     *
     * @throws MalformedMessageException if the payload is no such event
     */
    static TimeHasPassed from(Envelope envelope) {
        return fromJson(new String(envelope.event().payload().bytes(), StandardCharsets.UTF_8));
    }

    /**
     * Returns the event of a recurrence that was due at an instant. It is for the period that ended at that instant. If
     * the rules of the zone have changed since and no period ended then, it is for the last one that had ended.
     *
     * @param previous the boundary of the event before; null if there was none
     * @throws IllegalArgumentException if {@code recurrence} is a cron expression, which has no periods, {@code now} is
     *     null or not between year 2 and 9999, or {@code previous} is not before {@code now}
     */
    static TimeHasPassed of(Recurrence recurrence, Instant now, @Nullable Instant previous) {
        return PassedPeriods.of(recurrence, now, previous);
    }
}

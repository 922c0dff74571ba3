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
 * Says that a period of time has passed, and which. All cases are immutable, thread-safe, and equal iff all their fields
 * are.
 */
public sealed interface TimeHasPassed
        permits IntervalHasPassed,
                MinuteHasPassed,
                HourHasPassed,
                DayHasPassed,
                WeekHasPassed,
                MonthHasPassed,
                QuarterHasPassed,
                YearHasPassed {

    /**
     * Orders by {@link #now}; of what happens at one instant, the shorter comes first: interval, minute, hour, day, week,
     * month, quarter, year.
     */
    Comparator<TimeHasPassed> ORDER =
            Comparator.comparing(TimeHasPassed::now).thenComparing(event -> PassedPeriods.TYPES.indexOf(event.type()));

    /** Returns the boundary that was crossed: when the event was due, not when it was delivered. */
    Instant now();

    /**
     * Returns the boundary that was told before this one, null if this is the first. If periods were missed in between,
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

    /** Returns the first instant after the period that has passed: {@link #now}, unless the zone's rules have changed. */
    default Instant end() {
        return span().end();
    }

    /** Returns the zone by whose clock the period was counted; UTC for intervals. */
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
     * {@code previous} is absent on the first. In the place of {@code date} stands: {@code time} for minutes and hours,
     * {@code firstDate} and {@code lastDate} for weeks, {@code month}, {@code year}, {@code quarter} and {@code firstMonth}
     * for quarters, {@code year} and {@code firstMonth} for years, {@code length} for intervals.
     */
    default String toJson() {
        return PassageJson.write(this);
    }

    /**
     * Reads the JSON form back; unknown fields are ignored.
     *
     * @throws MalformedMessageException if it is not JSON, no such event, or a field is missing or malformed; never anything else
     */
    static TimeHasPassed fromJson(String json) {
        return PassageJson.read(json);
    }

    /**
     * Reads the event that an envelope carries as its payload.
     *
     * @throws MalformedMessageException if the payload is no such event
     */
    static TimeHasPassed from(Envelope envelope) {
        return fromJson(new String(envelope.event().payload().bytes(), StandardCharsets.UTF_8));
    }

    /**
     * Returns the event of a recurrence that was due at an instant: the period that ended then or, if none did since the
     * rules of the zone have changed after it became due, the last one that had ended.
     *
     * @param previous the boundary that was told before; null if none was
     * @throws IllegalArgumentException if {@code recurrence} is a cron expression, which has no periods, {@code now} is null
     *     or not between year 2 and 9999, or {@code previous} is not before {@code now}
     */
    static TimeHasPassed of(Recurrence recurrence, Instant now, @Nullable Instant previous) {
        return PassedPeriods.of(recurrence, now, previous);
    }
}

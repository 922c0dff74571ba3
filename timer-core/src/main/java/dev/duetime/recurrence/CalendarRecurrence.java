package dev.duetime.recurrence;

import dev.duetime.internal.Limits;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Optional;

/**
 * Recurs where one period of the calendar ends and the next begins. Made by {@link Recurrence#each}.
 *
 * <p>A minute or an hour begins each time that the local clock comes to a full one, so that an hour that is repeated is
 * two; one that the clock jumps over is none, and if it lands within an hour, that begins there. Longer periods begin when
 * the clock first comes to 00:00 of their first date, or jumps over that. A date that is left out altogether is none.
 *
 * @param unit which periods
 * @param rules where and how they are counted; what does not matter to the unit is as in {@link CalendarRules#in}
 * @param catchUp what becomes of missed times
 */
public record CalendarRecurrence(CalendarUnit unit, CalendarRules rules, CatchUp catchUp) implements Recurrence {

    /**
     * Checks that all is given.
     *
     * @throws IllegalArgumentException if one is null
     */
    public CalendarRecurrence {
        Limits.given("unit", unit);
        Limits.given("rules", rules);
        Limits.given("catchUp", catchUp);
        rules = rules.relevantTo(unit);
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return times().next(Limits.instant("after", after)).filter(Limits::holds);
    }

    @Override
    public Optional<Instant> latest(Instant notAfter) {
        return times().latest(Limits.instant("notAfter", notAfter)).filter(Limits::holds);
    }

    /** Returns the first date of the period that an instant is in, by the zone's clock; of minutes and hours their date. */
    public LocalDate firstDate(Instant time) {
        return unit.start(LocalDateTime.ofInstant(time, rules.zone()), rules).toLocalDate();
    }

    private ZonedTimes times() {
        return new ZonedTimes(new Starts(unit, rules), rules.zone(), unit.compareTo(CalendarUnit.HOUR) <= 0);
    }

    @Override
    public CalendarRecurrence catchUp(CatchUp other) {
        return new CalendarRecurrence(unit, rules, other);
    }

    /** Returns the text that {@link Recurrence#parse} reads, such as {@code week Europe/Berlin first=SUNDAY}. */
    @Override
    public String toString() {
        return RecurrenceText.of(this);
    }

    /** The local times at which the periods begin. */
    private record Starts(CalendarUnit unit, CalendarRules rules) implements LocalTimes {
        @Override
        public Optional<LocalDateTime> next(LocalDateTime after) {
            return Optional.of(unit.following(unit.start(after, rules)));
        }

        @Override
        public Optional<LocalDateTime> latest(LocalDateTime notAfter) {
            return Optional.of(unit.start(notAfter, rules));
        }
    }
}

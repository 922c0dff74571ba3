package dev.duetime.recurrence;

import dev.duetime.internal.Inside;
import dev.duetime.internal.Limits;
import dev.duetime.internal.PeriodDates;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Optional;

/**
 * A recurrence at the boundaries of calendar periods, where one period ends and the next begins. Created by {@link
 * Recurrence#each}.
 *
 * <p>A minute or an hour begins each time the local clock shows a full one. An hour that the clock repeats is two
 * periods. An hour that the clock skips is none. If the clock jumps into the middle of an hour, the hour begins there.
 * A longer period begins when the clock first shows 00:00 of its first date, or skips that time. A date that the zone
 * skips completely is no period.
 *
 * @param unit the unit of the periods
 * @param rules where and how periods are counted; a rule that the unit does not use is as in {@link CalendarRules#in}
 * @param catchUp what happens to missed times
 */
public record CalendarRecurrence(CalendarUnit unit, CalendarRules rules, CatchUp catchUp) implements Recurrence {
    static {
        Inside.<CalendarRecurrence>open(CalendarRecurrence.class, calendar -> (PeriodDates) calendar::firstDate);
    }

    /**
     * Checks that no argument is null.
     *
     * @throws IllegalArgumentException if an argument is null
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

    private LocalDate firstDate(Instant time) {
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

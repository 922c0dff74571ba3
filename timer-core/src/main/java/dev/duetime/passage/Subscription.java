package dev.duetime.passage;

import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.IntervalRecurrence;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.recurrence.WorkingDays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to one kind of event.
 *
 * @param name the name of the subscription
 * @param period the kind of period, and for calendar units its zone, as the last parts of the id. Sorted by it,
 *     intervals come first and then shorter units, in all zones
 * @param recurrence when the events are due
 * @param workingDays which days have an event; null if all periods have one
 * @param action what is done with each event
 */
record Subscription(
        String name,
        String period,
        Recurrence recurrence,
        @Nullable WorkingDays workingDays,
        Action action) {

    private static final int NAME_LENGTH = 100;

    static Subscription of(String name, CalendarRecurrence recurrence, Action action) {
        String unit = recurrence.unit().name().toLowerCase(Locale.ROOT);
        return of(name, unit + "/" + recurrence.rules().zone().getId(), recurrence, null, action);
    }

    static Subscription of(String name, CalendarRecurrence day, WorkingDays workingDays, Action action) {
        String zone = day.rules().zone().getId();
        return of(name, "working-day/" + zone, day, workingDays, action);
    }

    static Subscription of(String name, IntervalRecurrence recurrence, Action action) {
        return of(name, "every/" + recurrence.length(), recurrence, null, action);
    }

    private static Subscription of(
            String name, String period, Recurrence recurrence, @Nullable WorkingDays workingDays, Action action) {
        int rank = PassedPeriods.TYPES.indexOf(PassedPeriods.type(recurrence));
        return new Subscription(name(name), rank + "-" + period, recurrence, workingDays, action);
    }

    /** Returns a name that can be a part of a key, whose parts are divided by slashes. */
    private static String name(String name) {
        String checked = Limits.name("name", name, NAME_LENGTH);
        if (checked.indexOf('/') >= 0) {
            throw new LimitException("name", "name must have no slashes but was " + checked);
        }
        return checked;
    }

    /** Returns the name of its events. */
    String event() {
        return workingDays == null ? PassedPeriods.type(recurrence) : WorkingDayHasPassed.class.getSimpleName();
    }

    /** Returns the event that was due at an instant; null if none was, since no working day has passed. */
    @Nullable
    TimeHasPassed event(TimeHasPassed period) {
        return workingDays != null && period instanceof DayHasPassed day
                ? PassedWorkingDays.of(day, recurrence.catchUp(), workingDays)
                : period;
    }

    /** Returns an id that is unique within a passage of time, such as {@code reports/3-day/Europe/Berlin}. */
    String id() {
        return name + "/" + period;
    }
}

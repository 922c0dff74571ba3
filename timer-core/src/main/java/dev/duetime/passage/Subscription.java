package dev.duetime.passage;

import dev.duetime.internal.ArgumentLimits;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.IntervalRecurrence;
import dev.duetime.recurrence.Recurrence;
import java.util.Locale;

/**
 * A subscription to one kind of event.
 *
 * @param name the name of the subscription
 * @param period the kind of period, and for calendar units its zone, as the last parts of the id. Sorted by it,
 *     intervals come first and then shorter units, in all zones
 * @param recurrence when the events are due
 * @param action what is done with each event
 */
record Subscription(String name, String period, Recurrence recurrence, Action action) {

    static Subscription of(String name, CalendarRecurrence recurrence, Action action) {
        String unit = recurrence.unit().name().toLowerCase(Locale.ROOT);
        return of(name, unit + "/" + recurrence.rules().zone().getId(), recurrence, action);
    }

    static Subscription of(String name, IntervalRecurrence recurrence, Action action) {
        return of(name, "every/" + recurrence.length(), recurrence, action);
    }

    private static Subscription of(String name, String period, Recurrence recurrence, Action action) {
        int rank = PassedPeriods.TYPES.indexOf(PassedPeriods.type(recurrence));
        return new Subscription(ArgumentLimits.subscription(name), rank + "-" + period, recurrence, action);
    }

    /** Returns an id that is unique within a passage of time, such as {@code reports/3-day/Europe/Berlin}. */
    String id() {
        return name + "/" + period;
    }
}

package dev.duetime.passage;

import dev.duetime.internal.ArgumentLimits;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.IntervalRecurrence;
import dev.duetime.recurrence.Recurrence;
import java.util.Locale;

/**
 * Is one kind of event under the name of a subscription.
 *
 * @param name the subscription's
 * @param period what has passed, and for units of the calendar in which zone, as the last parts of its id: sorted, intervals
 *     come first and then the shorter unit, in whatever zones
 * @param recurrence when
 * @param action what is done then
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

    /** Returns what tells it from all others of a passage of time: {@code reports/3-day/Europe/Berlin}. */
    String id() {
        return name + "/" + period;
    }
}

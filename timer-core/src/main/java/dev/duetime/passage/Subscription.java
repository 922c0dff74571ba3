package dev.duetime.passage;

import dev.duetime.CalendarRecurrence;
import dev.duetime.IntervalRecurrence;
import dev.duetime.Recurrence;
import java.util.Locale;

/**
 * Is one kind of event under the name of a subscription.
 *
 * @param name the subscription's
 * @param zone where it counts, as a part of its id
 * @param period what has passed, as the last part of its id: sorted, the shorter comes first
 * @param recurrence when
 * @param action what is done then
 */
record Subscription(String name, String zone, String period, Recurrence recurrence, Action action) {

    static Subscription of(String name, CalendarRecurrence recurrence, Action action) {
        String unit = recurrence.unit().name().toLowerCase(Locale.ROOT);
        return of(name, recurrence.rules().zone().getId(), unit, recurrence, action);
    }

    static Subscription of(String name, IntervalRecurrence recurrence, Action action) {
        return of(name, "every", recurrence.length().toString(), recurrence, action);
    }

    private static Subscription of(String name, String zone, String period, Recurrence recurrence, Action action) {
        int rank = Passages.TYPES.indexOf(Passages.type(recurrence));
        return new Subscription(Names.subscription(name), zone, rank + "-" + period, recurrence, action);
    }

    /** Returns what tells it from all others of a passage of time: {@code reports/Europe/Berlin/3-day}. */
    String id() {
        return name + "/" + zone + "/" + period;
    }
}

package dev.duetime.passage;

import dev.duetime.CalendarUnit;
import dev.duetime.TimerKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Names the ticks of subscriptions, and what they tell. */
final class Ticks {
    /** Whose timers ticks are. */
    static final String TENANT = "duetime";

    private Ticks() {}

    static Map<TimerKey, Tick> byKey(String queue, Collection<Subscription> subscriptions) {
        Map<TimerKey, Tick> ticks = new LinkedHashMap<>();
        for (Subscription each : subscriptions) {
            TimerKey key = TimerKey.of(TENANT, queue + "/" + each.id());
            ticks.put(key, new Tick(key, queue, type(each), each));
        }
        return ticks;
    }

    /** Returns the kinds of periods whose events are of a class. */
    static List<CalendarUnit> units(Class<? extends TimeHasPassed> events) {
        List<CalendarUnit> units = Stream.of(CalendarUnit.values())
                .filter(unit -> events.isAssignableFrom(Passages.event(unit)))
                .toList();
        if (units.isEmpty()) {
            throw new IllegalArgumentException(
                    "events must be of periods of the calendar, for intervals there are every and publishEvery, but was "
                            + events.getSimpleName());
        }
        return units;
    }

    private static String type(Subscription subscription) {
        String event = Passages.type(subscription.recurrence());
        return subscription.action() instanceof Action.Published ? event + ".published" : event;
    }
}

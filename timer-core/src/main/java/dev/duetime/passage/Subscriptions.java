package dev.duetime.passage;

import dev.duetime.internal.ArgumentLimits;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.IntervalRecurrence;
import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** A collection of subscriptions, with at most one for each name and kind of event. Not thread-safe. */
final class Subscriptions {
    private final Map<String, Subscription> byId = new LinkedHashMap<>();

    Collection<Subscription> all() {
        return byId.values();
    }

    void add(Duration length, String name, CatchUp catchUp, Action action) {
        IntervalRecurrence recurrence = Recurrence.every(length).catchUp(ArgumentLimits.given("catchUp", catchUp));
        add(Subscription.of(name, recurrence, action));
    }

    /** Subscribes to all kinds of events that belong to a class. */
    void add(Class<? extends TimeHasPassed> events, CalendarRules rules, String name, CatchUp catchUp, Action action) {
        for (CalendarUnit unit : PassedPeriods.units(ArgumentLimits.given("events", events))) {
            CalendarRecurrence recurrence =
                    Recurrence.each(unit, rules).catchUp(ArgumentLimits.given("catchUp", catchUp));
            add(Subscription.of(name, recurrence, action));
        }
    }

    private void add(Subscription subscription) {
        if (byId.putIfAbsent(subscription.id(), subscription) != null) {
            throw ArgumentLimits.twice(subscription.id());
        }
    }
}

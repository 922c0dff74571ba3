package dev.duetime.passage;

import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.IntervalRecurrence;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.recurrence.WorkingDays;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A collection of subscriptions, with at most one for each name and kind of event. Not thread-safe. */
final class Subscriptions {
    private final Map<String, Subscription> byId = new LinkedHashMap<>();
    private @Nullable WorkingDays workingDays;

    Collection<Subscription> all() {
        return byId.values();
    }

    void add(Duration length, String name, CatchUp catchUp, Action action) {
        IntervalRecurrence recurrence = Recurrence.every(length).catchUp(Limits.given("catchUp", catchUp));
        add(Subscription.of(name, recurrence, action));
    }

    void workingDays(WorkingDays days) {
        workingDays = Limits.given("days", days);
    }

    private void addWorkingDays(String name, CatchUp catchUp, Action action) {
        WorkingDays days = workingDays;
        if (days == null) {
            throw new LimitException("workingDays", "workingDays must be set before WorkingDayHasPassed is subscribed");
        }
        CalendarRecurrence day =
                Recurrence.each(CalendarUnit.DAY, days.zone()).catchUp(Limits.given("catchUp", catchUp));
        add(Subscription.of(name, day, days, action));
    }

    /** Subscribes to all kinds of events that belong to a class. */
    void add(Class<? extends TimeHasPassed> events, CalendarRules rules, String name, CatchUp catchUp, Action action) {
        if (events == WorkingDayHasPassed.class) {
            addWorkingDays(name, catchUp, action);
            return;
        }
        for (CalendarUnit unit : PassedPeriods.units(Limits.given("events", events))) {
            CalendarRecurrence recurrence = Recurrence.each(unit, rules).catchUp(Limits.given("catchUp", catchUp));
            add(Subscription.of(name, recurrence, action));
        }
    }

    private void add(Subscription subscription) {
        if (byId.putIfAbsent(subscription.id(), subscription) != null) {
            throw new LimitException(
                    "name", "name must subscribe to a kind of event once but does so again: " + subscription.id());
        }
    }
}

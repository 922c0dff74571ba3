package dev.duetime.passage;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Is the recurring timer of a subscription.
 *
 * @param key its name
 * @param queue where it is delivered
 * @param type its type: for handlers the name of the event, with {@code .published} for publishers
 * @param subscription what it ticks for
 */
record Tick(TimerKey key, String queue, String type, Subscription subscription) {

    /** Whose timers ticks are. */
    static final String TENANT = "duetime";

    /** Longer than whatever the scheduler sets for timers that do not say so themselves: catching up is told otherwise. */
    private static final Duration EVER = Duration.ofDays(36_500);

    static Map<TimerKey, Tick> byKey(String queue, Collection<Subscription> subscriptions) {
        Map<TimerKey, Tick> ticks = new LinkedHashMap<>();
        for (Subscription each : subscriptions) {
            TimerKey key = TimerKey.of(TENANT, queue + "/" + each.id());
            ticks.put(key, new Tick(key, queue, type(each), each));
        }
        return ticks;
    }

    private static String type(Subscription subscription) {
        String event = PassedPeriods.type(subscription.recurrence());
        return subscription.action() instanceof Action.Published ? event + ".published" : event;
    }

    Action action() {
        return subscription.action();
    }

    /**
     * Returns the timer. What recurs is also its payload, so that an event is made of what stood when it was due. One that
     * ended, which only an operator or an unreadable row makes it do, begins anew.
     */
    Timer timer() {
        return Timer.recurring(key, subscription.recurrence())
                .queue(queue)
                .type(type)
                .parallelKey(subscription.name())
                .payload(Payload.of(subscription.recurrence().toString().getBytes(StandardCharsets.UTF_8)))
                .validFor(EVER)
                .rearm()
                .build();
    }

    /** Returns whether a stored timer is this one. */
    boolean is(StoredTimer standing) {
        return standing.state() == TimerState.SCHEDULED
                && standing.content().recursBy(subscription.recurrence())
                && type.equals(standing.content().type())
                && subscription.name().equals(standing.content().parallelKey());
    }
}

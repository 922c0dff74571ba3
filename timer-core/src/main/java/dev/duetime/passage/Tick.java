package dev.duetime.passage;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.DeclaredTimers;
import dev.duetime.internal.timer.TimerContents;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The recurring timer of a subscription.
 *
 * @param key the key of the timer
 * @param queue where it is delivered
 * @param type its type: for a handler the name of the event, for a publisher with {@code .published} after it
 * @param subscription the subscription
 */
record Tick(TimerKey key, String queue, String type, Subscription subscription) {

    static Map<TimerKey, Tick> byKey(String queue, Collection<Subscription> subscriptions) {
        Map<TimerKey, Tick> ticks = new LinkedHashMap<>();
        for (Subscription each : subscriptions) {
            TimerKey key = TimerKey.of(DeclaredTimers.TENANT, queue + "/" + each.id());
            ticks.put(key, new Tick(key, queue, type(each), each));
        }
        return ticks;
    }

    private static String type(Subscription subscription) {
        String event = subscription.event();
        return subscription.action() instanceof Action.Published ? event + ".published" : event;
    }

    Action action() {
        return subscription.action();
    }

    /**
     * Returns the timer. Its payload is the recurrence, so an event is made from the row as it was when due. An ended
     * tick begins again; only an operator or an unreadable row can end one.
     */
    Timer timer() {
        return Timer.recurring(key, subscription.recurrence())
                .queue(queue)
                .type(type)
                .parallelKey(subscription.name())
                .payload(Payload.of(subscription.recurrence().toString().getBytes(StandardCharsets.UTF_8)))
                .neverExpires() // CatchUp decides about late occurrences.
                .rearm()
                .build();
    }

    /** Returns whether a stored timer is equal to this tick. */
    boolean is(StoredTimer stored) {
        return stored.state() == TimerState.SCHEDULED
                && TimerContents.recursBy(stored.content(), subscription.recurrence())
                && type.equals(stored.content().type())
                && subscription.name().equals(stored.content().parallelKey());
    }
}

package dev.duetime.spring;

import dev.duetime.StoredTimer;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.TimerListener;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes dead and expired timers as events of the application: {@link DeadTimer}, {@link Expired} and {@link
 * ExpiredInBulk}. Listeners of the application run in the thread that delivers, so they should be quick. Thread-safe.
 */
public final class TimerEvents implements TimerListener {
    private final ApplicationEventPublisher events;

    /** Creates the listener; the auto-configuration does so. */
    public TimerEvents(ApplicationEventPublisher events) {
        this.events = events;
    }

    /**
     * The event that a timer has expired.
     *
     * @param timer the timer
     * @param reason why
     */
    public record Expired(StoredTimer timer, ExpiryReason reason) {}

    /**
     * The event that timers of one type have expired, of a backlog that was not read one by one.
     *
     * @param queue the queue of the timers
     * @param type the type of the timers
     * @param count how many
     */
    public record ExpiredInBulk(String queue, String type, int count) {}

    @Override
    public void dead(DeadTimer timer) {
        events.publishEvent(timer);
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        events.publishEvent(new Expired(timer, reason));
    }

    /** Returns false, so that a large backlog of expired timers can be cleared without reading it. */
    @Override
    public boolean wantsEachExpired() {
        return false;
    }

    @Override
    public void expired(String queue, String type, int count) {
        events.publishEvent(new ExpiredInBulk(queue, type, count));
    }
}

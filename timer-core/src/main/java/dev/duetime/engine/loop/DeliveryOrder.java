package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Comparator;

/** The order in which due timers are delivered: higher priority first, then the oldest. */
public final class DeliveryOrder {
    public static final Comparator<StoredTimer> BY_PRIORITY = Comparator.comparingInt(
                    (StoredTimer each) -> each.content().priority())
            .reversed()
            .thenComparing(StoredTimer::dueAt)
            .thenComparing(DeliveryOrder::since)
            .thenComparing(StoredTimer::key);

    private static final Comparator<Place> OF_PLACES = Comparator.comparingInt(Place::priority)
            .reversed()
            .thenComparing(Place::dueAt)
            .thenComparing(Place::since)
            .thenComparing(Place::key);

    private DeliveryOrder() {}

    /** The place of a timer in this order. It can be kept after the timer itself is forgotten. */
    public record Place(int priority, Instant dueAt, Instant since, TimerKey key) implements Comparable<Place> {
        /** Returns the place of a timer. */
        public static Place of(StoredTimer timer) {
            return new Place(timer.content().priority(), timer.dueAt(), DeliveryOrder.since(timer), timer.key());
        }

        @Override
        public int compareTo(Place other) {
            return OF_PLACES.compare(this, other);
        }
    }

    /** Recurring timers of one due time are ordered by their keys, whichever of them was rescheduled last. */
    private static Instant since(StoredTimer timer) {
        return timer.content().recurrence() != null ? Instant.MIN : timer.registeredAt();
    }
}

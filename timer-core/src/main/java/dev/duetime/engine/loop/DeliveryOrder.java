package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
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

    private DeliveryOrder() {}

    /** Recurring timers of one due time are ordered by their keys, whichever of them was rescheduled last. */
    private static Instant since(StoredTimer timer) {
        return timer.content().recurrence() != null ? Instant.MIN : timer.registeredAt();
    }
}

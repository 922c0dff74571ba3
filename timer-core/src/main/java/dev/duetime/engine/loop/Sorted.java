package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.List;

/**
 * The timers of one read, sorted by their next step.
 *
 * @param read all timers of the read
 * @param due the timers of the read whose outcome is not waiting to be written
 * @param at when they were sorted
 * @param settlements the outcomes of timers that are over, and of occurrences that were missed
 * @param open the timers to deliver; the delivery may remove some
 * @param begun how many timers are in delivery now: all that were read, except those that are being cancelled
 * @param complete whether each timer of the read is here and will be settled for good
 */
public record Sorted(
        DueTimers read,
        DueTimers due,
        Instant at,
        List<Settlement> settlements,
        List<StoredTimer> open,
        int begun,
        boolean complete) {

    /** Returns whether most timers of a large read have ended. A timer that is put off is due again soon. */
    public boolean isMostlyOver() {
        return due.more() && settlements.stream().filter(Sorted::isOver).count() > open.size();
    }

    private static boolean isOver(Settlement settlement) {
        return !(settlement instanceof Settlement.Retried);
    }
}

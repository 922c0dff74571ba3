package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.List;

/**
 * The timers of one read, sorted by what becomes of them.
 *
 * @param read what was read
 * @param due what was read and is not about to be settled
 * @param at when it was sorted
 * @param settlements the outcomes of timers that are over, and of occurrences that were missed
 * @param open the timers to deliver; the delivery may remove some
 * @param begun how many timers are in delivery now: all that were read and nobody cancels
 * @param complete whether each timer that was read is here and will be settled for good
 */
public record Sorted(
        DueTimers read,
        DueTimers due,
        Instant at,
        List<Settlement> settlements,
        List<StoredTimer> open,
        int begun,
        boolean complete) {

    /** Returns whether a large read is over for the greater part. */
    public boolean isMostlyOver() {
        return due.more() && settlements.size() > open.size();
    }
}

package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    /** Removes the open timers of tenants of which more timers have ended than are open. Returns them. */
    public List<StoredTimer> takeMostlyOver() {
        Map<String, Integer> over = new HashMap<>();
        settlements.stream()
                .filter(Sorted::isOver)
                .forEach(each -> over.merge(each.key().tenantId(), 1, Integer::sum));
        open.forEach(each -> over.merge(each.key().tenantId(), -1, Integer::sum));
        List<StoredTimer> taken = open.stream()
                .filter(each -> over.getOrDefault(each.key().tenantId(), 0) > 0)
                .toList();
        open.removeIf(each -> over.getOrDefault(each.key().tenantId(), 0) > 0);
        return taken;
    }

    private static boolean isOver(Settlement settlement) {
        return !(settlement instanceof Settlement.Retried);
    }
}

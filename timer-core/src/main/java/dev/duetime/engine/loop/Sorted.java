package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
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

    /**
     * Removes the open timers of tenants of which more timers have ended than are open, and those of other tenants that
     * must not overtake one of them. Returns them.
     */
    public List<StoredTimer> takeMostlyOver() {
        Map<String, Integer> over = new HashMap<>();
        settlements.stream()
                .filter(Sorted::isOver)
                .forEach(each -> over.merge(each.key().tenantId(), 1, Integer::sum));
        open.forEach(each -> over.merge(each.key().tenantId(), -1, Integer::sum));
        Map<String, DeliveryOrder.Place> firstOfKey = new HashMap<>();
        List<StoredTimer> taken = new ArrayList<>();
        for (StoredTimer each : open) {
            if (over.getOrDefault(each.key().tenantId(), 0) > 0) {
                taken.add(each);
                String key = each.content().parallelKey();
                if (key != null) {
                    firstOfKey.merge(
                            key, DeliveryOrder.Place.of(each), (one, other) -> one.compareTo(other) <= 0 ? one : other);
                }
            }
        }
        open.removeIf(each -> over.getOrDefault(each.key().tenantId(), 0) > 0);
        if (!firstOfKey.isEmpty()) {
            List<StoredTimer> behind =
                    open.stream().filter(each -> isBehind(each, firstOfKey)).toList();
            open.removeIf(each -> isBehind(each, firstOfKey));
            taken.addAll(behind);
        }
        return taken;
    }

    private static boolean isBehind(StoredTimer timer, Map<String, DeliveryOrder.Place> firstOfKey) {
        String key = timer.content().parallelKey();
        DeliveryOrder.Place first = key == null ? null : firstOfKey.get(key);
        return first != null && first.compareTo(DeliveryOrder.Place.of(timer)) < 0;
    }

    private static boolean isOver(Settlement settlement) {
        return !(settlement instanceof Settlement.Retried);
    }
}

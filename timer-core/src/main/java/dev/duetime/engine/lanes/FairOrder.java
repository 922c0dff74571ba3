package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.engine.loop.DeliveryOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which timers of several tenants are published: higher priority first, then the tenants in turn, then the
 * oldest. Timers of one parallel key stay in the order of their due times, whatever their tenants.
 */
public final class FairOrder {
    private static final Comparator<Turn> TURNS = Comparator.comparingInt(
                    (Turn each) -> each.timer.content().priority())
            .reversed()
            .thenComparingInt(Turn::round);

    private FairOrder() {}

    /** A timer, and the round in which its tenant has its turn with it. */
    private record Turn(StoredTimer timer, int round) {}

    /** The rounds of one priority. */
    private static final class Rounds {
        final Map<String, Integer> byTenant;
        final Map<String, Integer> byKey = new HashMap<>();

        Rounds(Map<String, Integer> before) {
            byTenant = new HashMap<>(before);
        }

        int next(StoredTimer timer) {
            int round = byTenant.merge(timer.key().tenantId(), 1, Integer::sum);
            String key = timer.content().parallelKey();
            return key == null ? round : byKey.merge(key, round, Math::max);
        }
    }

    /** Sorts the timers. Costs no more than a sort if there is one tenant, or no more than one batch. */
    public static void sort(List<StoredTimer> timers, int batchSize) {
        sort(timers, batchSize, Map.of());
    }

    /**
     * Sorts the timers.
     *
     * @param before how many turns each tenant had before; none if it is missing
     */
    public static void sort(List<StoredTimer> timers, int batchSize, Map<String, Integer> before) {
        timers.sort(DeliveryOrder.BY_PRIORITY);
        if (timers.size() <= batchSize || hasOneTenant(timers)) {
            return;
        }
        Map<Integer, Rounds> rounds = new HashMap<>();
        List<Turn> turns = new ArrayList<>(timers.size());
        for (StoredTimer each : timers) {
            int round = rounds.computeIfAbsent(each.content().priority(), priority -> new Rounds(before))
                    .next(each);
            turns.add(new Turn(each, round));
        }
        // The sort is stable, so that the oldest is first within a round.
        turns.sort(TURNS);
        for (int i = 0; i < turns.size(); i++) {
            timers.set(i, turns.get(i).timer);
        }
    }

    private static boolean hasOneTenant(List<StoredTimer> timers) {
        String first = timers.get(0).key().tenantId();
        return timers.stream().allMatch(each -> each.key().tenantId().equals(first));
    }
}

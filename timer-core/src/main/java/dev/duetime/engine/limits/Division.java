package dev.duetime.engine.limits;

import dev.duetime.store.Permits.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The division of a limit's units among the nodes that want some, in proportion to their demand. Each node computes the
 * same one from the same shares. If there are fewer units than such nodes, they take turns.
 */
final class Division {
    /** How long a node keeps a unit while others wait for one. */
    static final Duration TURN = Duration.ofSeconds(5);

    private Division() {}

    /** Returns how many units each node should have that wants some, by node. */
    static Map<String, Integer> of(List<Share> shares, int total, Instant now) {
        List<Share> wanting = new ArrayList<>(
                shares.stream().filter(each -> each.demand() > 0).toList());
        wanting.sort(Comparator.comparing(Share::node));
        if (wanting.isEmpty()) {
            return Map.of();
        }
        if (wanting.size() > total) {
            return turns(wanting, total, now);
        }
        long sum = wanting.stream().mapToLong(each -> wanted(each, total)).sum();
        return sum <= total ? withSurplus(wanting, total, sum) : inProportion(wanting, total, sum);
    }

    private static int wanted(Share share, int total) {
        return Math.min(share.demand(), total);
    }

    /** Gives each node what it wants, and an equal part of the rest. */
    private static Map<String, Integer> withSurplus(List<Share> wanting, int total, long sum) {
        Map<String, Integer> units = new HashMap<>();
        long left = total - sum;
        int nodes = wanting.size();
        for (int i = 0; i < nodes; i++) {
            Share each = wanting.get(i);
            units.put(each.node(), (int) (wanted(each, total) + left / nodes + (i < left % nodes ? 1 : 0)));
        }
        return units;
    }

    /** Gives each node one unit, and divides the others by what it wants beyond that; the largest remainders first. */
    private static Map<String, Integer> inProportion(List<Share> wanting, int total, long sum) {
        Map<String, Integer> units = new HashMap<>();
        Map<String, Long> remainders = new HashMap<>();
        int nodes = wanting.size();
        long beyond = sum - nodes;
        int left = total - nodes;
        int given = 0;
        for (Share each : wanting) {
            long weighed = (long) (wanted(each, total) - 1) * left;
            int part = beyond == 0 ? 0 : (int) (weighed / beyond);
            units.put(each.node(), 1 + part);
            remainders.put(each.node(), beyond == 0 ? 0 : weighed % beyond);
            given += part;
        }
        wanting.stream()
                .sorted(Comparator.comparing((Share each) -> -remainders.getOrDefault(each.node(), 0L))
                        .thenComparing(Share::node))
                .limit(left - given)
                .forEach(each -> units.merge(each.node(), 1, Integer::sum));
        return units;
    }

    /**
     * Gives a unit each to some nodes, and in the next turn to the next ones. All limits of a queue begin with the same
     * node, so that no node waits for a unit of one limit with that of another one in its hands.
     */
    private static Map<String, Integer> turns(List<Share> wanting, int total, Instant now) {
        Map<String, Integer> units = new HashMap<>();
        long turn = now.toEpochMilli() / TURN.toMillis();
        for (int i = 0; i < total; i++) {
            units.put(wanting.get((int) ((turn + i) % wanting.size())).node(), 1);
        }
        return units;
    }
}

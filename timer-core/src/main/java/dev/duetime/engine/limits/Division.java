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

    /**
     * Returns how many units each node should have that wants some, by node.
     *
     * @param shares the shares in this limit
     * @param nodes those that have a share in any limit of the queue, in an order that all of them know
     */
    static Map<String, Integer> of(List<Share> shares, List<String> nodes, int total, Instant now) {
        List<Share> wanting = new ArrayList<>(
                shares.stream().filter(each -> each.demand() > 0).toList());
        wanting.sort(Comparator.comparing(Share::node));
        if (wanting.isEmpty()) {
            return Map.of();
        }
        if (wanting.size() > total) {
            return turns(wanting, nodes, total, now);
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
     * Gives a unit each to some nodes, and in the next turn to other ones. The node whose turn it is comes first in all
     * limits of the queue, so that it has the units of all that it waits for at once. The turns of nodes that do not
     * want this limit are divided among the others. Long runs may keep a unit for many turns. So nodes whose turn has
     * passed in vain come before all others, in the order in which they wait.
     */
    private static Map<String, Integer> turns(List<Share> wanting, List<String> nodes, int total, Instant now) {
        int count = Math.max(1, nodes.size());
        long turn = now.toEpochMilli() / TURN.toMillis();
        String inTurn = nodes.isEmpty() ? "" : nodes.get(Math.floorMod(turn, count));
        int first = Math.floorMod(turn / count, wanting.size());
        for (int i = 0; i < wanting.size(); i++) {
            first = wanting.get(i).node().equals(inTurn) ? i : first;
        }
        int start = first;
        Instant overdue = now.minus(TURN.multipliedBy(count));
        Map<String, Integer> units = new HashMap<>();
        wanting.stream()
                .sorted(Comparator.comparing((Share each) -> isOverdue(each, overdue) ? each.since() : Instant.MAX)
                        .thenComparing(each -> Math.floorMod(wanting.indexOf(each) - start, wanting.size())))
                .limit(total)
                .forEach(each -> units.put(each.node(), 1));
        return units;
    }

    private static boolean isOverdue(Share share, Instant before) {
        return share.units() == 0 && !share.since().isAfter(before);
    }
}

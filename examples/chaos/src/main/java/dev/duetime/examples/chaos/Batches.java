package dev.duetime.examples.chaos;

import dev.duetime.examples.chaos.Entry.Delivered;
import dev.duetime.examples.chaos.Entry.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Knows what each node had in flight when. A node publishes one batch after the other and settles each before the next, so
 * what may not be settled yet is the last batch that it began.
 */
final class Batches {
    /** How soon after a fault a node publishes what it held, in microseconds. */
    static final long AT_ONCE = 2_000_000;

    private final Map<String, NavigableMap<Long, Batch>> byNode = new HashMap<>();

    /**
     * Is what was handed over together.
     *
     * @param previous when the node's batch before began, or {@link Long#MIN_VALUE}
     * @param next when the node's next batch began, or {@link Long#MAX_VALUE}
     */
    record Batch(String node, long start, long previous, long next, List<Delivered> deliveries) {}

    Batches(List<Delivered> deliveries) {
        Map<String, NavigableMap<Long, List<Delivered>>> started = new HashMap<>();
        deliveries.forEach(each -> started.computeIfAbsent(each.node(), node -> new TreeMap<>())
                .computeIfAbsent(each.batch(), number -> new ArrayList<>())
                .add(each));
        started.forEach((node, batches) -> {
            NavigableMap<Long, Batch> linked = new TreeMap<>();
            batches.forEach((number, list) -> {
                Map.Entry<Long, List<Delivered>> before = batches.lowerEntry(number);
                Map.Entry<Long, List<Delivered>> after = batches.higherEntry(number);
                linked.put(
                        number,
                        new Batch(
                                node,
                                list.get(0).at(),
                                before == null
                                        ? Long.MIN_VALUE
                                        : before.getValue().get(0).at(),
                                after == null
                                        ? Long.MAX_VALUE
                                        : after.getValue().get(0).at(),
                                list));
            });
            byNode.put(node, linked);
        });
    }

    /** Returns the batch that a delivery was part of. */
    Batch of(Delivered delivery) {
        NavigableMap<Long, Batch> batches = Objects.requireNonNull(byNode.get(delivery.node()));
        return Objects.requireNonNull(batches.get(delivery.batch()));
    }

    /** Returns how many deliveries were in flight on the nodes that a fault hit. */
    int inFlight(Fault fault) {
        return byNode.entrySet().stream()
                .filter(each -> fault.hits(each.getKey()))
                .mapToInt(each -> inFlight(each.getValue().values(), fault))
                .sum();
    }

    /** What is under way when it begins, and what the node held all the while and publishes at once afterwards. */
    private static int inFlight(Collection<Batch> batches, Fault fault) {
        int underWay = size(batches, each -> each.start() <= fault.from() && each.next() > fault.from());
        int held = size(batches, each -> each.start() > fault.from() && each.start() <= fault.to() + AT_ONCE);
        return underWay + held;
    }

    private static int size(Collection<Batch> batches, Predicate<Batch> condition) {
        return batches.stream()
                .filter(condition)
                .mapToInt(each -> each.deliveries().size())
                .findFirst()
                .orElse(0);
    }
}

package dev.duetime.lab.chaos.log;

import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The deliveries that each node had in flight at each time. A node reads and settles up to eight batches at once; all
 * of them are full except the last. A read may be settled only when the node publishes its next read.
 */
public final class Batches {
    /** How soon after a fault a node publishes what it held, in microseconds. */
    public static final long AT_ONCE = 2_000_000;

    /** How many batches a node reads at once at most, and how large one is that others may follow. */
    private static final int TOGETHER = 8;

    private static final int FULL = 500;

    private final Map<String, NavigableMap<Long, Batch>> byNode = new HashMap<>();

    /**
     * The deliveries that were handed over together.
     *
     * @param previous when the node began the last batch that it cannot have read with this one, or {@link
     *     Long#MIN_VALUE}
     * @param next when the node began the first batch that it cannot have read with this one, or {@link Long#MAX_VALUE}
     */
    public record Batch(String node, long start, long previous, long next, List<Delivered> deliveries) {}

    public Batches(List<Delivered> deliveries) {
        Map<String, NavigableMap<Long, List<Delivered>>> started = new HashMap<>();
        deliveries.forEach(each -> started.computeIfAbsent(each.node(), node -> new TreeMap<>())
                .computeIfAbsent(each.batch(), number -> new ArrayList<>())
                .add(each));
        started.forEach((node, batches) -> {
            NavigableMap<Long, Batch> linked = new TreeMap<>();
            List<Long> numbers = List.copyOf(batches.keySet());
            List<List<Delivered>> all = List.copyOf(batches.values());
            for (int i = 0; i < all.size(); i++) {
                linked.put(numbers.get(i), batch(node, all, i));
            }
            byNode.put(node, linked);
        });
    }

    private static Batch batch(String node, List<List<Delivered>> all, int i) {
        int first = i;
        while (first > 0 && i - first < TOGETHER - 1 && isFull(all.get(first - 1))) {
            first--;
        }
        int last = i;
        while (last < all.size() - 1 && last - i < TOGETHER - 1 && isFull(all.get(last))) {
            last++;
        }
        return new Batch(
                node,
                start(all.get(i)),
                first == 0 ? Long.MIN_VALUE : start(all.get(first - 1)),
                last == all.size() - 1 ? Long.MAX_VALUE : start(all.get(last + 1)),
                all.get(i));
    }

    private static boolean isFull(List<Delivered> batch) {
        return batch.size() >= FULL;
    }

    private static long start(List<Delivered> batch) {
        return batch.get(0).at();
    }

    /** Returns the batch that a delivery was part of. */
    public Batch of(Delivered delivery) {
        NavigableMap<Long, Batch> batches = Objects.requireNonNull(byNode.get(delivery.node()));
        return Objects.requireNonNull(batches.get(delivery.batch()));
    }

    /** Returns how many deliveries were in flight on the nodes that a fault hit. */
    public int inFlight(Fault fault) {
        return byNode.entrySet().stream()
                .filter(each -> fault.hits(each.getKey()))
                .mapToInt(each -> inFlight(each.getValue().values(), fault))
                .sum();
    }

    /**
     * The deliveries that are in flight when the fault begins, and the most that are in flight at once later: those
     * that the node holds during the fault and publishes directly after it, or those that a heap interrupts which is
     * full some time after the fault begins.
     */
    private static int inFlight(Collection<Batch> batches, Fault fault) {
        int underWay = batches.stream()
                .filter(each -> each.start() <= fault.from() && each.next() > fault.from())
                .mapToInt(each -> each.deliveries().size())
                .sum();
        List<Batch> later = batches.stream()
                .filter(each -> each.start() > fault.from() && each.start() <= fault.to() + AT_ONCE)
                .toList();
        int most = 0;
        for (int i = 0; i < later.size(); i++) {
            most = Math.max(most, atOnce(later.subList(i, Math.min(i + TOGETHER, later.size()))));
        }
        return underWay + most;
    }

    /** A batch that is not full is the last one that is settled with those before. */
    private static int atOnce(List<Batch> batches) {
        int deliveries = 0;
        for (Batch each : batches) {
            deliveries += each.deliveries().size();
            if (!isFull(each.deliveries())) {
                break;
            }
        }
        return deliveries;
    }
}

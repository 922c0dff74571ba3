package dev.duetime.lab.chaos.judge;

import dev.duetime.lab.chaos.log.Batches;
import dev.duetime.lab.chaos.log.Batches.Batch;
import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.History;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The explanations of repeated deliveries. A repeat is explained if the delivery before it was in flight and not
 * settled when a fault hit its node. It is also explained if the repeat was the first action of a node after a fault
 * had hit it, because the node held the batch during the fault. A shard that changes hands explains nothing: it does so
 * only when its deliveries are settled, or when a fault has kept its owner from renewing the lease.
 */
public final class Repeats {
    private final History history;
    private final Batches batches;

    /** How many repeats each kind of fault explains. */
    final Map<String, Integer> explained = new TreeMap<>();

    final List<String> unexplained = new ArrayList<>();
    int count;

    Repeats(History history, Batches batches) {
        this.history = history;
        this.batches = batches;
        Map<String, List<Delivered>> byId = history.deliveries().stream()
                .collect(Collectors.groupingBy(Delivered::id, LinkedHashMap::new, Collectors.toList()));
        byId.values().forEach(each -> {
            for (int i = 1; i < each.size(); i++) {
                explain(each.get(i - 1), each.get(i));
            }
        });
    }

    /** Returns how many deliveries were in flight at all faults: no more may be repeated. */
    int inFlight() {
        return history.faults().stream().mapToInt(batches::inFlight).sum();
    }

    private void explain(Delivered first, Delivered again) {
        count++;
        Batch before = batches.of(first);
        Batch after = batches.of(again);
        String cause = fault(first.node(), before.start(), Math.min(before.next(), again.at()));
        if (cause.isEmpty()) {
            cause = whileHeld(first, again, after);
        }
        if (cause.isEmpty()) {
            unexplained.add("%s by %s at %d and by %s %d us later"
                    .formatted(first.key(), first.node(), first.at(), again.node(), again.at() - first.at()));
        } else {
            explained.merge(cause, 1, Integer::sum);
        }
    }

    private String fault(String node, long from, long to) {
        return history.faults().stream()
                .filter(each -> each.hits(node) && each.from() <= to && each.to() >= from)
                .map(Fault::kind)
                .findFirst()
                .orElse("");
    }

    /** Returns the fault in which a node held a batch that it had read, while another delivered the same. */
    private String whileHeld(Delivered first, Delivered again, Batch after) {
        return history.faults().stream()
                .filter(each -> each.hits(again.node())
                        && each.from() <= first.at()
                        && each.to() >= after.previous()
                        && each.to() + Batches.AT_ONCE >= again.at())
                .map(Fault::kind)
                .findFirst()
                .orElse("");
    }
}

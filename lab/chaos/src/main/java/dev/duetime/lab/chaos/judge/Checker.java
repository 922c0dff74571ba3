package dev.duetime.lab.chaos.judge;

import dev.duetime.lab.chaos.log.Batches;
import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Kind;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.History.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A check of a history. Each accepted timer must be delivered, not early, and repeated only if a fault explains it. */
public final class Checker {
    /** How much later than its end a timer may be delivered: a batch that was just read takes that long at most. */
    private static final long IN_DELIVERY = 1_000_000;

    private final History history;
    private final Batches batches;
    private final Map<String, Fate> fates = new HashMap<>();
    private final Map<String, Set<Integer>> delivered = new HashMap<>();
    private final Set<String> deliveredIds = new HashSet<>();

    private Checker(History history) {
        this.history = history;
        batches = new Batches(history.deliveries());
        history.operations().forEach((key, operations) -> fates.put(key, Fate.of(operations)));
        for (Delivered each : history.deliveries()) {
            delivered.computeIfAbsent(each.key(), key -> new HashSet<>()).add(each.op());
            deliveredIds.add(each.id());
        }
    }

    public static Verdict check(History history) {
        return new Checker(history).verdict();
    }

    private Verdict verdict() {
        Repeats repeats = new Repeats(history, batches);
        return new Verdict(
                new Verdict.Calls(
                        fates.values().stream()
                                .mapToInt(each -> each.ids.size())
                                .sum(),
                        fates.values().stream()
                                .mapToInt(each -> each.rescheduled)
                                .sum(),
                        fates.values().stream().mapToInt(each -> each.cancelled).sum(),
                        fates.values().stream().mapToInt(each -> each.ambiguous).sum()),
                new Verdict.Deliveries(
                        deliveredIds.size(), repeats.count, repeats.inFlight(), repeats.explained, overtaken()),
                new Verdict.Findings(lost(), early(), repeats.unexplained, wrong()));
    }

    private List<String> lost() {
        List<String> lost = new ArrayList<>();
        fates.forEach((key, fate) -> {
            Set<Integer> got = delivered.getOrDefault(key, Set.of());
            fate.required.stream()
                    .filter(anyOf -> anyOf.stream().noneMatch(got::contains))
                    .forEach(anyOf -> lost.add(key + " schedule " + anyOf));
            fate.reached.stream()
                    .filter(id -> !deliveredIds.contains(id))
                    .forEach(id -> lost.add(key + " was reported as reached, envelope " + id));
        });
        return lost;
    }

    private List<String> early() {
        return history.deliveries().stream()
                .filter(each -> each.at() < each.due())
                .map(each -> "%s by %s, %d us before %d"
                        .formatted(each.key(), each.node(), each.due() - each.at(), each.due()))
                .toList();
    }

    /** Counts deliveries of timers that had been rescheduled or cancelled: they were in flight at that moment. */
    private int overtaken() {
        return (int) history.deliveries().stream()
                .filter(each -> supersededAt(each) != null)
                .count();
    }

    private @Nullable Long supersededAt(Delivered delivery) {
        Fate fate = fates.get(delivery.key());
        return fate == null ? null : fate.superseded.get(delivery.op());
    }

    /** Finds deliveries without a call that explains them. */
    private List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        for (Delivered each : history.deliveries()) {
            String reason = reason(each);
            if (!reason.isEmpty()) {
                wrong.add("%s schedule %d by %s at %d: %s"
                        .formatted(each.key(), each.op(), each.node(), each.at(), reason));
            }
        }
        return wrong;
    }

    private String reason(Delivered delivery) {
        Operation operation = history.operations().getOrDefault(delivery.key(), List.of()).stream()
                .filter(each -> each.asked().op() == delivery.op())
                .findFirst()
                .orElse(null);
        if (operation == null || operation.asked().kind() != Kind.SCHEDULE) {
            return "nobody scheduled it";
        }
        if (operation.asked().due() != delivery.due()) {
            return "due at %d, scheduled for %d"
                    .formatted(delivery.due(), operation.asked().due());
        }
        String id = fates.getOrDefault(delivery.key(), Fate.of(List.of())).ids.get(delivery.op());
        if (id != null && !id.equals(delivery.id())) {
            return "envelope %s, but the answer was %s".formatted(delivery.id(), id);
        }
        Long ended = supersededAt(delivery);
        return ended != null && delivery.at() > ended + IN_DELIVERY && !isHeldUp(delivery)
                ? "%d us after it was rescheduled or cancelled".formatted(delivery.at() - ended)
                : "";
    }

    /** Returns whether a fault may have come between reading and publishing. */
    private boolean isHeldUp(Delivered delivery) {
        long previous = batches.of(delivery).previous();
        return history.faults().stream()
                .anyMatch(each -> each.hits(delivery.node()) && each.from() <= delivery.at() && each.to() >= previous);
    }
}

package dev.duetime.lab.chaos.log;

import dev.duetime.lab.chaos.log.Entry.Answered;
import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Entry.Moved;
import dev.duetime.lab.chaos.log.History.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The measurements of a history: takeovers, lateness, the spread of the work, and how long shards had no owner. */
public final class Measures {
    public static final String KILL = "kill";
    public static final String CLOSE = "close";
    private static final long POLL_INTERVAL_MICROS = 5_000_000;

    private final History history;

    public Measures(History history) {
        this.history = history;
    }

    /**
     * The takeover of a killed node's timers.
     *
     * @param node the killed node
     * @param shards how many shards it owned
     * @param firstMillis the time until another node delivered one of its timers
     * @param lastMillis the time until other nodes had delivered timers of each of its shards
     */
    public record Takeover(String node, int shards, long firstMillis, long lastMillis) {}

    /** The lateness of first deliveries. */
    public record Lateness(int timers, double p50Millis, double p99Millis, double maxMillis) {}

    public List<Takeover> takeovers() {
        List<Takeover> all = new ArrayList<>();
        for (Fault kill : history.faults()) {
            if (kill.kind().equals(KILL) && !kill.shards().isEmpty()) {
                long[] sorted = firstAfter(kill);
                if (sorted.length > 0) {
                    all.add(new Takeover(
                            kill.node(), kill.shards().size(), sorted[0] / 1_000, sorted[sorted.length - 1] / 1_000));
                }
            }
        }
        return all;
    }

    private long[] firstAfter(Fault kill) {
        Map<Integer, Long> first = new HashMap<>();
        for (Delivered each : history.deliveries()) {
            int shard = history.shard(each.key());
            if (each.at() > kill.from()
                    && !each.node().equals(kill.node())
                    && kill.shards().contains(shard)) {
                first.putIfAbsent(shard, each.at() - kill.from());
            }
        }
        return first.values().stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** Measures first deliveries in a span of time. Their timers were due so late that every node had polled before. */
    public Lateness lateness(long from, long to) {
        Set<String> seen = new HashSet<>();
        double[] millis = history.deliveries().stream()
                .filter(each ->
                        seen.add(each.id()) && each.at() >= from && each.at() <= to && wasAnsweredLongBefore(each))
                .mapToDouble(each -> (each.at() - each.due()) / 1e3)
                .toArray();
        Arrays.sort(millis);
        return new Lateness(millis.length, at(millis, 0.5), at(millis, 0.99), at(millis, 1));
    }

    /**
     * Measures first deliveries in a span of time, also of timers that no other node can have polled for. A timer that
     * was due before its schedule was answered counts from the answer.
     */
    public Lateness promptness(long from, long to) {
        Set<String> seen = new HashSet<>();
        double[] millis = history.deliveries().stream()
                .filter(each -> seen.add(each.id()) && each.at() >= from && each.at() <= to)
                .mapToDouble(each -> Math.max(0, each.at() - Math.max(each.due(), answeredAt(each))) / 1e3)
                .toArray();
        Arrays.sort(millis);
        return new Lateness(millis.length, at(millis, 0.5), at(millis, 0.99), at(millis, 1));
    }

    private long answeredAt(Delivered delivery) {
        for (Operation each : history.operations().getOrDefault(delivery.key(), List.of())) {
            Answered answer = each.answer();
            if (each.asked().op() == delivery.op() && answer != null) {
                return answer.at();
            }
        }
        return delivery.due();
    }

    private boolean wasAnsweredLongBefore(Delivered delivery) {
        for (Operation each : history.operations().getOrDefault(delivery.key(), List.of())) {
            Answered answer = each.answer();
            if (each.asked().op() == delivery.op()) {
                return answer != null && answer.at() + POLL_INTERVAL_MICROS < delivery.due();
            }
        }
        return false;
    }

    private static double at(double[] sorted, double quantile) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * quantile)];
    }

    /** Counts deliveries by node, including nodes without any. */
    public Map<String, Integer> spread(long from, long to, List<String> nodes) {
        Map<String, Integer> spread = new TreeMap<>();
        nodes.forEach(each -> spread.put(each, 0));
        history.deliveries().stream()
                .filter(each -> each.at() >= from && each.at() < to)
                .forEach(each -> spread.merge(each.node(), 1, Integer::sum));
        return spread;
    }

    /** Counts the schedules that were answered, by the second. */
    public int acceptedPerSecond(long from, long to) {
        long accepted = history.operations().values().stream()
                .flatMap(List::stream)
                .map(Operation::answer)
                .filter(each -> each != null
                        && each.at() >= from
                        && each.at() < to
                        && !each.state().equals(Entry.ALL))
                .count();
        return (int) (accepted * 1_000_000 / (to - from));
    }

    /** Returns the longest time for which a released shard had no owner, to within one interval of the watch. */
    public long longestWithoutOwnerMillis(long from, long to) {
        Map<Integer, Long> freeSince = new HashMap<>();
        long longest = 0;
        for (Moved each : history.moves()) {
            if (each.to() < from || each.to() > to) {
                continue;
            }
            if (each.after().equals(Entry.ALL)) {
                freeSince.put(each.shard(), each.to());
            } else {
                Long since = freeSince.remove(each.shard());
                longest = since == null ? longest : Math.max(longest, each.to() - since);
            }
        }
        return longest / 1_000;
    }
}

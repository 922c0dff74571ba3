package dev.duetime.lab.chaos.judge;

import dev.duetime.lab.chaos.log.Entry.Added;
import dev.duetime.lab.chaos.log.Entry.Counted;
import dev.duetime.lab.chaos.log.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A check of merges that add up. The sum of what was enqueued for a key equals the sum that was counted. Two todos may
 * exist for one key only if the first one may have been running when the second one was enqueued. So it never happens
 * that both calls had returned before either todo could start.
 */
public final class MergingChecker {
    private static final int EXAMPLES = 5;

    /** By how much the clock that starts todos may differ from the one of the logs. */
    private static final long CLOCKS_DIFFER = 50_000;

    private final List<Added> added;
    private final List<Counted> counted;
    private final Map<String, List<Added>> byKey;
    private final List<String> wrongSums = new ArrayList<>();
    private final List<String> twice = new ArrayList<>();
    private int raced;

    public MergingChecker(History history) {
        added = history.all(Added.class);
        counted = history.all(Counted.class);
        byKey = added.stream().collect(Collectors.groupingBy(Added::key, TreeMap::new, Collectors.toList()));
        Map<String, Integer> sums =
                counted.stream().collect(Collectors.groupingBy(Counted::key, Collectors.summingInt(Counted::amount)));
        byKey.forEach((key, all) -> {
            int enqueued = all.stream().mapToInt(Added::amount).sum();
            int sum = sums.getOrDefault(key, 0);
            if (enqueued != sum) {
                wrongSums.add("%s: enqueued %d, counted %d".formatted(key, enqueued, sum));
            }
            raced += isRaced(all) ? 1 : 0;
            findTwice(key, inserted(all));
        });
    }

    /** A call that is repeated because its first answer was lost returns that nothing has changed. */
    private static List<Added> inserted(List<Added> all) {
        return all.stream()
                .filter(each -> each.into().equals(each.id()) && !each.outcome().equals("IGNORED"))
                .sorted(Comparator.comparingLong(Added::startAt))
                .toList();
    }

    private void findTwice(String key, List<Added> inserted) {
        for (int i = 1; i < inserted.size(); i++) {
            Added one = inserted.get(i - 1);
            Added other = inserted.get(i);
            if (Math.max(one.to(), other.to()) < one.startAt() - CLOCKS_DIFFER) {
                twice.add("%s: %s and %s".formatted(key, one.id(), other.id()));
            }
        }
    }

    /** Returns whether another call for the key was under way when the first todo was enqueued. */
    private static boolean isRaced(List<Added> all) {
        Added first = all.stream().min(Comparator.comparingLong(Added::to)).orElseThrow();
        return all.stream().anyMatch(each -> !each.id().equals(first.id()) && each.from() < first.to());
    }

    /** Returns some of the findings. */
    public List<String> examples() {
        List<String> all = new ArrayList<>(twice);
        all.addAll(wrongSums);
        return all.stream().limit(EXAMPLES).toList();
    }

    /** Judges the merges, for this many nodes of which some have enqueued everything. */
    public List<Claim> claims(int finished, int nodes) {
        long created =
                byKey.values().stream().mapToLong(each -> inserted(each).size()).sum();
        Set<String> ids = new TreeSet<>();
        long repeats = counted.stream().filter(each -> !ids.add(each.id())).count();
        return List.of(
                new Claim(
                        "enqueued, by nodes that came to their end",
                        "%,d, %d".formatted(added.size(), finished),
                        nodes + " nodes",
                        finished == nodes),
                Claim.none("inserted while another one waited", twice.size()),
                Claim.none("keys of which the sum is wrong", wrongSums.size()),
                Claim.none("run twice", (int) repeats),
                new Claim(
                        "run, of those inserted",
                        "%,d".formatted(ids.size()),
                        "%,d".formatted(created),
                        ids.size() == created),
                new Claim(
                        "keys, and those with concurrent calls",
                        "%,d, %,d".formatted(byKey.size(), raced),
                        "some",
                        raced > 0));
    }
}

package dev.duetime.lab.chaos.judge;

import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Entry.Ran;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A check of runs of todos by key. Todos of one key never run at the same time, and run in order of start date. All are
 * done. A run is repeated only if its node was killed in the meantime. A run that was interrupted by a kill ended with
 * its process. A todo whose last attempt must be made alone may run later than the next ones of its key.
 */
public final class KeyedChecker {
    private static final int EXAMPLES = 5;

    private final Map<String, List<Ran>> byKey;
    private final Map<String, Fault> kills;
    private final int maxAttempts;
    private final List<String> overlaps = new ArrayList<>();
    private final List<String> disorder = new ArrayList<>();
    private final List<String> unexplained = new ArrayList<>();
    private final Map<String, Integer> done = new HashMap<>();
    private int runs;
    private int repeats;

    private record Run(String node, String key, int number, long from) {
        static Run of(Ran ran) {
            return new Run(ran.node(), ran.key(), ran.number(), ran.from());
        }
    }

    /**
     * Checks a history.
     *
     * @param maxAttempts how many attempts each todo has
     */
    public KeyedChecker(History history, int maxAttempts) {
        this.maxAttempts = maxAttempts;
        kills = history.faults().stream()
                .filter(each -> each.kind().equals(Measures.KILL))
                .collect(Collectors.toMap(Fault::node, each -> each));
        Map<Run, Ran> whole = new HashMap<>();
        history.all(Ran.class).forEach(each -> whole.merge(Run.of(each), each, (a, b) -> a.to() > b.to() ? a : b));
        byKey = whole.values().stream()
                .sorted(Comparator.comparingLong(Ran::from))
                .collect(Collectors.groupingBy(Ran::key, TreeMap::new, Collectors.toList()));
        byKey.forEach(this::check);
    }

    private void check(String key, List<Ran> inOrder) {
        Map<Integer, Ran> latest = new TreeMap<>();
        long end = 0;
        int highest = -1;
        for (Ran each : inOrder) {
            if (each.from() < end) {
                overlaps.add(
                        "%s: %d began %d us before another one ended".formatted(key, each.number(), end - each.from()));
            }
            end = Math.max(end, end(each));
            Ran before = latest.put(each.number(), each);
            if (before == null) {
                if (each.number() < highest && killsBefore(each) < maxAttempts - 1) {
                    disorder.add("%s: %d was first run after %d".formatted(key, each.number(), highest));
                }
                highest = Math.max(highest, each.number());
            } else {
                repeats++;
                Fault kill = kills.get(before.node());
                if (kill == null || kill.to() < before.from() || kill.from() > each.from()) {
                    unexplained.add(
                            "%s: %d by %s, and again by %s".formatted(key, each.number(), before.node(), each.node()));
                }
            }
        }
        runs += inOrder.size();
        long whole = latest.values().stream().filter(each -> each.to() > 0).count();
        done.put(key, (int) whole);
    }

    private long killsBefore(Ran run) {
        return kills.values().stream().filter(each -> each.from() < run.from()).count();
    }

    private long end(Ran run) {
        Fault kill = kills.get(run.node());
        if (run.to() > 0) {
            return run.to();
        }
        return kill == null ? Long.MAX_VALUE : kill.to();
    }

    /** Returns some of the findings. */
    public List<String> examples() {
        List<String> all = new ArrayList<>(overlaps);
        all.addAll(disorder);
        all.addAll(unexplained);
        return all.stream().limit(EXAMPLES).toList();
    }

    /** Returns how many processes were killed. */
    public int kills() {
        return kills.size();
    }

    /** Judges the runs, given the number of keys and of todos of each key. */
    public List<Claim> claims(int keys, int ofEach) {
        int all = done.values().stream().mapToInt(Integer::intValue).sum();
        return List.of(
                new Claim(
                        "todos done, of all keys",
                        "%,d".formatted(all),
                        "%,d".formatted(keys * ofEach),
                        all == keys * ofEach),
                Claim.none("runs of one key that overlap", overlaps.size()),
                Claim.none("todos out of order of their key", disorder.size()),
                Claim.none("repeats without a kill", unexplained.size()),
                new Claim(
                        "runs, of which repeats after kills",
                        "%,d, %d".formatted(runs, repeats),
                        kills.size() + " kills",
                        true));
    }
}

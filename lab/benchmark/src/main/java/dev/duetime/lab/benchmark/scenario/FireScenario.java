package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** A scenario that delivers timers that are all due, until each is settled: deleted, or kept as ended. */
public final class FireScenario implements Scenario {
    private static final int TIMERS = 200_000;
    private static final int SECONDS = 120;
    private static final double NANOS = 1e9;
    private static final String KEPT = "kept";
    private static final String DELETED = "deleted";

    /** Returns the variants that a contestant can run. */
    public static List<String> retention(ContestantType type) {
        return Stream.of(DELETED, KEPT)
                .filter(variant -> type.can(variant.equals(KEPT)))
                .toList();
    }

    public static boolean isRetention(String variant) {
        return variant.equals(KEPT) || variant.equals(DELETED);
    }

    static boolean keeps(String variant) {
        return variant.equals(KEPT);
    }

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return retention(type);
    }

    @Override
    public void measure(Trial trial) throws Exception {
        trial.measured(
                "per_second", fire(trial, trial.arguments().timersOr(TIMERS)).fired());
    }

    /** Returns how fast a contestant schedules and delivers this many timers, or fewer if it is slow. */
    public static Pilot fire(Trial trial, int timers) throws Exception {
        return fire(trial, timers, keeps(trial.variant()));
    }

    /** Like {@link #fire(Trial, int)}, but keeps or deletes ended timers as given, whatever the variant. */
    public static Pilot fire(Trial trial, int timers, boolean keep) throws Exception {
        int count = trial.type().affordable(timers);
        Deliveries deliveries = Deliveries.counted();
        Contestant contestant = trial.open(deliveries, keep);
        List<Entry> due = Entry.list(count, Instant.now().minusSeconds(60), Duration.ofSeconds(50));
        long start = System.nanoTime();
        trial.load(contestant, due);
        double loaded = count * NANOS / (System.nanoTime() - start);
        trial.settle();
        Duration limit = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        return new Pilot(trial.tuning(), Firing.perSecond(List.of(contestant), deliveries, count, limit), loaded);
    }
}

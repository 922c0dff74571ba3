package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Machine;
import dev.duetime.lab.benchmark.run.Results.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A scenario that delivers due timers while other timers wait for later: none, five and fifty times as many. */
final class BacklogScenario implements Scenario {
    private static final int TIMERS = 200_000;
    private static final int SECONDS = 120;
    private static final int LOOK_UPS = 21;
    private static final int[] TIMES = {0, 5, 50};
    private static final String PENDING = "-pending";

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        int timers = arguments.timersOr(TIMERS);
        return IntStream.of(TIMES)
                .mapToObj(times -> (long) times * timers + PENDING)
                .toList();
    }

    static int pending(String variant) {
        return Integer.parseInt(variant.replace(PENDING, ""));
    }

    @Override
    public void measure(Trial trial) throws Exception {
        int count = trial.type().affordable(trial.arguments().timersOr(TIMERS));
        Deliveries deliveries = Deliveries.counted();
        Contestant contestant = trial.open(deliveries, !trial.type().can(false));
        trial.fill(contestant, pending(trial.variant()));
        trial.load(contestant, Entry.list(count, Instant.now().minusSeconds(60), Duration.ofSeconds(50)));
        trial.settle();
        Duration limit = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        double perSecond = Firing.perSecond(List.of(contestant), deliveries, count, limit);
        trial.measured("per_second", perSecond);
        trial.drew(List.of(new Point(pending(trial.variant()), perSecond)));
        trial.measured("heap_mb", Machine.heapMegabytes());
        measureLookUp(trial, contestant);
    }

    /** Measures how long it takes to ask for the next due time. */
    static void measureLookUp(Trial trial, Contestant contestant) throws Exception {
        double[] millis = new double[LOOK_UPS];
        for (int i = 0; i < LOOK_UPS; i++) {
            long start = System.nanoTime();
            if (!contestant.lookUpNextDue()) {
                return;
            }
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(millis);
        trial.measured("next_due_ms", millis[LOOK_UPS / 2]);
    }
}

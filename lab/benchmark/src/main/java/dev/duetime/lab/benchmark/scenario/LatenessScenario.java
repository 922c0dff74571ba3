package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** A scenario that delivers timers with random due times, at an average rate, and measures how late each is. */
final class LatenessScenario implements Scenario {
    private static final int SECONDS = 20;
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final String A_SECOND = "/s";
    private static final int THOUSANDTHS = 1_000;

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return List.of(100 + A_SECOND, 1_000 + A_SECOND, 5_000 + A_SECOND);
    }

    @Override
    public String pictured() {
        return "p99_ms";
    }

    @Override
    public void measure(Trial trial) throws Exception {
        int rate = Integer.parseInt(trial.variant().replace(A_SECOND, ""));
        Duration during = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        int count = Math.min(trial.arguments().timersOr(Integer.MAX_VALUE), Math.toIntExact(rate * during.toSeconds()));
        Deliveries deliveries = Deliveries.timed(count);
        Contestant contestant = trial.open(deliveries, trial.type().can(true));
        trial.settle();
        contestant.start();
        Instant from = Instant.now().plus(trial.loadTime(count));
        trial.load(contestant, Entry.list(count, from, during));
        Duration left = Duration.between(Instant.now(), from);
        if (left.isNegative()) {
            System.err.printf(
                    "%s: the load took %s too long, which counts as late%n",
                    trial.type().label(), left);
        }
        deliveries.await(count, left.plus(during).plus(GRACE));
        report(trial, deliveries.lateMillis(), count);
    }

    private static void report(Trial trial, double[] late, int count) {
        if (late.length == 0) {
            return;
        }
        trial.measured("min_ms", late[0]);
        trial.measured("p50_ms", late[late.length / 2]);
        trial.measured("p99_ms", late[(int) (late.length * 0.99)]);
        trial.measured("max_ms", late[late.length - 1]);
        trial.measured("delivered_percent", 100.0 * late.length / count);
        trial.drew(IntStream.rangeClosed(1, THOUSANDTHS)
                .mapToObj(i -> new Point(late[Math.min(late.length - 1, late.length * i / THOUSANDTHS)], i / 10.0))
                .toList());
    }
}

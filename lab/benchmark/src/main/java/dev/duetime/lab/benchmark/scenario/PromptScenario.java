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
import java.util.stream.Stream;

/**
 * A scenario that schedules one timer or todo after the other, each due in 0 to 2 s, and measures how late each is.
 * They come from the only node (owner), from one of three nodes that deliver (worker), or from a third node that only
 * schedules (web). Todos have a parallel key.
 */
final class PromptScenario implements Scenario {
    private static final int SECONDS = 30;
    private static final int A_SECOND = 20;
    private static final Duration DUE_WITHIN = Duration.ofSeconds(2);
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final Duration SHARING = Duration.ofMinutes(1);
    private static final int NODES = 3;
    private static final int THOUSANDTHS = 1_000;

    private static final String TODOS = "todos-";
    private static final String OWNER = "owner";
    private static final String WORKER = "worker";
    private static final String WEB = "web";

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return type == ContestantType.DUETIME
                ? Stream.of("timers-", TODOS)
                        .flatMap(kind -> Stream.of(OWNER, WORKER, WEB).map(from -> kind + from))
                        .toList()
                : List.of();
    }

    /** Returns whether the variant schedules todos. */
    static boolean isOfTodos(String variant) {
        return variant.startsWith(TODOS);
    }

    @Override
    public String pictured() {
        return "p99_ms";
    }

    @Override
    public void measure(Trial trial) throws Exception {
        String variant = trial.variant();
        int nodes = variant.endsWith(OWNER) ? 1 : NODES;
        int serving = variant.endsWith(WEB) ? nodes - 1 : nodes;
        Duration during = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        int count =
                Math.min(trial.arguments().timersOr(Integer.MAX_VALUE), Math.toIntExact(A_SECOND * during.toSeconds()));
        Deliveries deliveries = Deliveries.timed(count);
        List<Contestant> contestants = trial.open(deliveries, trial.type().can(true), nodes);
        for (Contestant contestant : contestants.subList(0, serving)) {
            contestant.start();
        }
        awaitReady(contestants.get(0), serving);
        schedule(contestants.get(nodes - 1), count);
        deliveries.await(count, DUE_WITHIN.plus(GRACE));
        report(trial, deliveries.lateMillis(), count);
    }

    private static void awaitReady(Contestant contestant, int nodes) throws Exception {
        long end = System.nanoTime() + SHARING.toNanos();
        while (!contestant.isReady(nodes)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the nodes did not share the work out within " + SHARING);
            }
            Thread.sleep(10);
        }
    }

    /** One call each, at an even rate: nothing that is due hides behind others. */
    private static void schedule(Contestant contestant, int count) throws Exception {
        long began = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long due = began + i * Duration.ofSeconds(1).toNanos() / A_SECOND;
            Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())).toMillis());
            contestant.schedule(Entry.list(1, Instant.now(), DUE_WITHIN));
        }
    }

    private static void report(Trial trial, double[] late, int count) {
        if (late.length == 0) {
            return;
        }
        trial.measured("p50_ms", late[late.length / 2]);
        trial.measured("p90_ms", late[(int) (late.length * 0.9)]);
        trial.measured("p99_ms", late[(int) (late.length * 0.99)]);
        trial.measured("max_ms", late[late.length - 1]);
        trial.measured("delivered_percent", 100.0 * late.length / count);
        trial.drew(IntStream.rangeClosed(1, THOUSANDTHS)
                .mapToObj(i -> new Point(late[Math.min(late.length - 1, late.length * i / THOUSANDTHS)], i / 10.0))
                .toList());
    }
}

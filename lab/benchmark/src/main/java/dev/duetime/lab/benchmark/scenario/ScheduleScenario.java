package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** A scenario that schedules timers for tomorrow: 1,000 a call, and one a call from 1, 8 and 32 threads. */
final class ScheduleScenario implements Scenario {
    private static final int TIMERS = 200_000;
    private static final int SECONDS = 10;
    private static final String BATCHED = "batched";
    private static final String SINGLE = "single-";
    private static final double NANOS = 1e9;

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return List.of(BATCHED, SINGLE + 1, SINGLE + 8, SINGLE + 32);
    }

    @Override
    public void measure(Trial trial) throws Exception {
        Contestant contestant = trial.open(Deliveries.counted(), trial.type().can(true));
        trial.settle();
        trial.measured(
                "per_second", trial.variant().equals(BATCHED) ? batched(trial, contestant) : single(trial, contestant));
    }

    private static double batched(Trial trial, Contestant contestant) throws Exception {
        int count = trial.type().affordable(trial.arguments().timersOr(TIMERS));
        List<Entry> timers = tomorrow(count);
        long start = System.nanoTime();
        trial.load(contestant, timers);
        return count * NANOS / (System.nanoTime() - start);
    }

    private static double single(Trial trial, Contestant contestant) throws Exception {
        int threads = Integer.parseInt(trial.variant().substring(SINGLE.length()));
        Duration time = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            LongAdder calls = new LongAdder();
            long start = System.nanoTime();
            List<Callable<Object>> callers = Stream.generate(() -> caller(contestant, calls, start + time.toNanos()))
                    .limit(threads)
                    .toList();
            for (Future<Object> caller : executor.invokeAll(callers)) {
                caller.get();
            }
            return calls.sum() * NANOS / (System.nanoTime() - start);
        } finally {
            executor.shutdown();
        }
    }

    private static Callable<Object> caller(Contestant contestant, LongAdder calls, long end) {
        return Executors.callable(() -> {
            try {
                while (System.nanoTime() - end < 0) {
                    contestant.schedule(tomorrow(1));
                    calls.increment();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static List<Entry> tomorrow(int count) {
        return Entry.list(count, Instant.now().plus(Duration.ofDays(1)), Duration.ofHours(1));
    }
}

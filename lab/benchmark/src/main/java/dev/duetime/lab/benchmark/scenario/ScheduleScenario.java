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
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A scenario that schedules timers for tomorrow: 1,000 a call, and one a call from 1, 8 and 32 threads. Duetime also
 * schedules timers that are due in 0 to 4 s, with and without hints, on a node that does not deliver.
 */
final class ScheduleScenario implements Scenario {
    private static final int TIMERS = 200_000;
    private static final int SECONDS = 10;
    private static final String BATCHED = "batched";
    private static final String SINGLE = "single-";
    private static final String SOON = "soon-8";

    /** The end of the name of a variant in which nodes send no hints. */
    static final String WITHOUT_HINTS = "-without-hints";

    private static final double NANOS = 1e9;
    private static final int SOON_THREADS = 8;
    private static final Duration DUE_SOON = Duration.ofSeconds(4);

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        List<String> all = List.of(BATCHED, SINGLE + 1, SINGLE + 8, SINGLE + 32);
        return type == ContestantType.DUETIME
                ? Stream.concat(all.stream(), Stream.of(SOON, SOON + WITHOUT_HINTS))
                        .toList()
                : all;
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
        boolean soon = trial.variant().startsWith(SOON);
        int threads = soon ? SOON_THREADS : Integer.parseInt(trial.variant().substring(SINGLE.length()));
        Duration time = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            LongAdder calls = new LongAdder();
            long start = System.nanoTime();
            Supplier<List<Entry>> timer = soon ? ScheduleScenario::soon : () -> tomorrow(1);
            List<Callable<Object>> callers = Stream.generate(
                            () -> caller(contestant, timer, calls, start + time.toNanos()))
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

    private static Callable<Object> caller(
            Contestant contestant, Supplier<List<Entry>> timer, LongAdder calls, long end) {
        return Executors.callable(() -> {
            try {
                while (System.nanoTime() - end < 0) {
                    contestant.schedule(timer.get());
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

    /** Within a polling interval, so that each call has something to hint at. */
    private static List<Entry> soon() {
        return Entry.list(1, Instant.now(), DUE_SOON);
    }
}

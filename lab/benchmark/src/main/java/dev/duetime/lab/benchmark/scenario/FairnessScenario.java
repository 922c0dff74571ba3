package dev.duetime.lab.benchmark.scenario;

import dev.duetime.Envelope;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A scenario of ten small tenants whose timers become due one after the other, alone or behind the backlog of a tenant
 * that has nine times as many timers due at the start. Measures how late the timers of the small tenants are. The
 * publisher takes 10 ms for a call.
 */
final class FairnessScenario implements Scenario {
    private static final String ALONE = "alone";
    private static final String BEHIND = "behind-90-percent";
    private static final int SMALL_TIMERS = 20_000;
    private static final int TIMES = 9;
    private static final int TENANTS = 10;
    private static final int SECONDS = 10;
    private static final int CALL = 1_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String LARGE = "large";

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return type == ContestantType.DUETIME ? List.of(ALONE, BEHIND) : List.of();
    }

    @Override
    public String pictured() {
        return "p95_ms";
    }

    @Override
    public void measure(Trial trial) throws Exception {
        int small = trial.arguments().timersOr(SMALL_TIMERS);
        Duration during = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        int large = trial.variant().equals(BEHIND) ? TIMES * small : 0;
        Received received = new Received();
        Scheduler scheduler = trial.scheduler(received);
        schedule(scheduler, LARGE, large, Instant.now().minusSeconds(60), Duration.ofSeconds(50));
        trial.settle();
        Instant from = Instant.now().plusSeconds(2);
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            schedule(scheduler, "small-" + tenant, small / TENANTS, from, during);
        }
        long began = System.nanoTime();
        scheduler.start();
        long all = large + (long) TENANTS * (small / TENANTS);
        while (received.all.get() < all && System.nanoTime() - began < LIMIT.toNanos()) {
            Thread.sleep(10);
        }
        report(trial, received, all, (System.nanoTime() - began) / 1e9);
    }

    private static void schedule(Scheduler scheduler, String tenant, int count, Instant from, Duration during) {
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Instant dueAt = from.plus(during.multipliedBy(i).dividedBy(count));
            timers.add(Timer.at(TimerKey.of(tenant, "t" + i), dueAt).build());
            if (timers.size() == CALL || i == count - 1) {
                scheduler.scheduleAll(timers);
                timers.clear();
            }
        }
    }

    private static void report(Trial trial, Received received, long all, double seconds) {
        double[] late = sorted(received.lateMillis);
        double[] batches = sorted(received.batchMillis);
        if (late.length == 0 || batches.length == 0) {
            return;
        }
        trial.measured("p50_ms", late[late.length / 2]);
        trial.measured("p95_ms", late[(int) (late.length * 0.95)]);
        trial.measured("p99_ms", late[(int) (late.length * 0.99)]);
        trial.measured("max_ms", late[late.length - 1]);
        trial.measured("batch_p50_ms", batches[batches.length / 2]);
        trial.measured("batch_p99_ms", batches[(int) (batches.length * 0.99)]);
        trial.measured("seconds", seconds);
        trial.measured("delivered_percent", 100.0 * received.all.get() / all);
        trial.drew(List.of(new Point(95, late[(int) (late.length * 0.95)])));
    }

    private static double[] sorted(Queue<Double> figures) {
        return figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    /**
     * A publisher that takes some time. It notes how late the timers of the small tenants are, and how long each batch
     * takes: from its call to the next one.
     */
    private static final class Received implements Publisher {
        private static final long CALL_MILLIS = 10;

        final AtomicLong all = new AtomicLong();
        final Queue<Double> lateMillis = new ConcurrentLinkedQueue<>();
        final Queue<Double> batchMillis = new ConcurrentLinkedQueue<>();
        private volatile long lastNanos;

        @Override
        public void publish(List<Envelope> batch) throws InterruptedException {
            Instant now = Instant.now();
            long nanos = System.nanoTime();
            if (lastNanos != 0) {
                batchMillis.add((nanos - lastNanos) / 1e6);
            }
            lastNanos = nanos;
            for (Envelope each : batch) {
                if (!each.key().tenantId().equals(LARGE)) {
                    lateMillis.add(Duration.between(each.event().dueAt(), now).toNanos() / 1e6);
                }
            }
            Thread.sleep(CALL_MILLIS);
            all.addAndGet(batch.size());
        }
    }
}

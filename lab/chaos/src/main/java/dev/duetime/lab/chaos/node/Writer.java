package dev.duetime.lab.chaos.node;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.lab.chaos.log.Entry;
import dev.duetime.lab.chaos.log.Entry.Answered;
import dev.duetime.lab.chaos.log.Entry.Asked;
import dev.duetime.lab.chaos.log.Entry.Kind;
import dev.duetime.lab.chaos.log.Log;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A writer that schedules new keys at a steady rate. It also moves, cancels and reschedules some of them, partly at the
 * very moment at which they become due. It repeats a failed call until the call is answered. No other writer uses its
 * keys, so their calls have an order.
 */
final class Writer implements Runnable {
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);
    private static final long RACE_MICROS = 5_000;

    private final Scheduler scheduler;
    private final Log log;
    private final String name;
    private final long everyMicros;
    private final long delayMicros;
    private final RandomGenerator random;
    private final Queue<Plan> plans = new PriorityQueue<>(Comparator.comparingLong(Plan::at));
    private int keys;

    private volatile boolean stopped;

    /** A planned call. */
    private record Plan(long at, String key, int op, Kind kind, long due) {}

    Writer(Scheduler scheduler, Log log, String name, Duration every, Duration delay, RandomGenerator random) {
        this.scheduler = scheduler;
        this.log = log;
        this.name = name;
        this.everyMicros = every.toNanos() / 1_000;
        this.delayMicros = delay.toNanos() / 1_000;
        this.random = random;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        long nextKeyAt = Log.now() + random.nextLong(everyMicros);
        while (!stopped) {
            try {
                nextKeyAt = turn(nextKeyAt);
            } catch (OutOfMemoryError e) {
                // The answer may not be in the log; the checker takes it for one that was lost.
                LockSupport.parkNanos(AFTER_A_FAILURE.toNanos());
            }
        }
    }

    /** Makes the next call if it is time; returns when the next new key is scheduled. */
    private long turn(long nextKeyAt) {
        Plan plan = plans.peek();
        boolean planned = plan != null && plan.at < nextKeyAt;
        long wait = (planned ? plan.at : nextKeyAt) - Log.now();
        if (wait > 0) {
            LockSupport.parkNanos(Math.min(wait, RACE_MICROS) * 1_000);
        } else if (planned) {
            plans.remove();
            make(plan);
        } else {
            scheduleNewKey();
            return Math.max(nextKeyAt + everyMicros, Log.now() - delayMicros / 8);
        }
        return nextKeyAt;
    }

    private void scheduleNewKey() {
        keys++;
        String key = "%s-%d".formatted(name, keys);
        long due = soon();
        make(new Plan(Log.now(), key, 1, Kind.SCHEDULE, due));
        double chance = random.nextDouble();
        Kind next = chance < 0.15 ? Kind.SCHEDULE : Kind.CANCEL;
        if (chance < 0.25) {
            boolean race = random.nextInt(3) == 0;
            long at = race ? due + random.nextLong(-RACE_MICROS, RACE_MICROS) : due - random.nextLong(delayMicros / 2);
            plans.add(new Plan(at, key, 2, next, 0));
        }
    }

    /** Most timers are due so late that every node has polled in the meantime; a few are due at once. */
    private long soon() {
        long now = Log.now();
        return random.nextInt(20) == 0
                ? now + random.nextLong(delayMicros / 8)
                : now + delayMicros - random.nextLong(delayMicros / 4);
    }

    private void make(Plan plan) {
        long due = plan.kind == Kind.CANCEL ? 0 : plan.due > 0 ? plan.due : soon();
        log.append(new Asked(Log.now(), plan.key, plan.op, plan.kind, due));
        if (plan.kind == Kind.CANCEL) {
            cancel(plan);
        } else {
            schedule(plan, due);
        }
    }

    private void schedule(Plan plan, long due) {
        Timer.Builder timer = Timer.at(TimerKey.of(plan.key), Instant.EPOCH.plus(due, ChronoUnit.MICROS))
                .correlationId(String.valueOf(plan.op))
                .payload(plan.key);
        // Half of the timers may lie in any shard, and the other half has a place of its own.
        Timer placed = (plan.key.hashCode() & 1) == 0
                ? timer.build()
                : timer.shardingKey(plan.key).build();
        untilAnswered(plan, () -> {
            ScheduleResult result = scheduler.schedule(placed);
            return new Outcome(
                    result.outcome().name(),
                    result.state().name(),
                    result.envelopeId(),
                    result.outcome() == ScheduleOutcome.IGNORED);
        });
    }

    private void cancel(Plan plan) {
        Outcome outcome = untilAnswered(plan, () -> {
            CancelResult result = scheduler.cancel(TimerKey.of(plan.key));
            return new Outcome(result.name(), Entry.ALL, Entry.ALL, result != CancelResult.CANCELLED);
        });
        if (!outcome.ended && random.nextBoolean()) {
            plans.add(new Plan(Log.now() + random.nextLong(delayMicros / 8), plan.key, plan.op + 1, Kind.SCHEDULE, 0));
        }
    }

    private record Outcome(String name, String state, String id, boolean ended) {}

    private Outcome untilAnswered(Plan plan, Supplier<Outcome> call) {
        for (int tries = 1; !stopped; tries++) {
            try {
                Outcome outcome = call.get();
                log.append(new Answered(Log.now(), plan.key, plan.op, outcome.name, outcome.state, outcome.id, tries));
                return outcome;
            } catch (StoreException | OutOfMemoryError e) {
                LockSupport.parkNanos(AFTER_A_FAILURE.toNanos());
            }
        }
        return new Outcome("", "", "", true);
    }
}

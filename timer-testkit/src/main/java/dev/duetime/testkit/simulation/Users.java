package dev.duetime.testkit.simulation;

import dev.duetime.CancelResult;
import dev.duetime.RateLimit;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.internal.Errors;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.fault.HeapFull;
import dev.duetime.testkit.fault.NodeCrash;
import dev.duetime.testkit.simulation.run.ClusterLimits;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The users of a cluster. They schedule, reschedule, cancel and re-arm the same few keys, some of them recurring, on
 * any node, also while nodes deliver them.
 */
class Users {
    private static final int TENANTS = 3;
    private static final int PARALLEL_KEYS = 3;
    private static final int BACKLOG = 30;
    private static final int MOST_BETWEEN_BACKLOGS = 25;
    static final Duration LONGEST_DELAY = Duration.ofSeconds(12);

    final World world;
    private final Map<TimerKey, Timer> last = new HashMap<>();
    private int numbers;
    private double interruptions;
    private boolean calm;
    private boolean resting;

    Users(World world) {
        this.world = world;
        this.interruptions = 0.02;
    }

    /** Begins to act without faults, and more often during the calls of nodes. */
    void calm() {
        calm = true;
        interruptions = 0.1;
    }

    /** Schedules a backlog on all nodes that lasts that long, and lets the users do nothing else in the calm. */
    void pileUp(Duration calm) {
        interruptions = 0;
        List<NodeProcess> nodes = world.alive();
        ClusterLimits limits = world.scenario.limits();
        double rate = Math.max(
                perSecond(limits.rate()),
                Math.max(TENANTS * perSecond(limits.tenantRate()), nodes.size() * perSecond(limits.typeRate())));
        int count = BACKLOG + (int) Math.ceil(2 * rate * calm.toSeconds());
        for (int node = 0; node < nodes.size(); node++) {
            // Beside a rate of the queue, only some nodes have timers of the limited type.
            boolean isLimited = limits.rate() == null || nodes.size() < 3 || node == 1 || node == 2;
            List<Timer> timers = new ArrayList<>();
            for (int i = 0; i < count / nodes.size(); i++) {
                String type = isLimited && i % 2 == 0 ? ClusterLimits.LIMITED : "other";
                TimerKey key = TimerKey.of("t" + i % TENANTS, "steady" + node + "-" + i);
                timers.add(Timer.at(key, world.clock.now()).type(type).build());
            }
            schedule(nodes.get(node), timers);
        }
    }

    private static double perSecond(@Nullable RateLimit rate) {
        return rate == null ? 0 : rate.permits() / (rate.period().toNanos() / 1e9);
    }

    /** Cancels everything. */
    void cancelAll() {
        for (TimerKey key : List.copyOf(last.keySet())) {
            cancel(world.any(world.alive()), key);
        }
    }

    /** Returns whether users act now, while no fault may delay a timer. */
    boolean areCalm() {
        return calm && !resting;
    }

    void rest() {
        resting = true;
    }

    boolean interrupts() {
        return !resting && world.chance(interruptions);
    }

    /** Returns a key whose row another transaction may hold, or whose timer kills its node. */
    TimerKey anyVictim() {
        return anyKey();
    }

    TimerKey anyKey() {
        int number = world.random.nextInt(world.scenario.keys());
        return severalCalls() ? TimerKey.of("t" + number % TENANTS, "k" + number) : TimerKey.of("k" + number);
    }

    /** With several calls at once, timers belong to several tenants, and some to a parallel key. */
    private boolean severalCalls() {
        return world.scenario.concurrency() > 1;
    }

    private Timer.Builder keyed(TimerKey key, Timer.Builder timer) {
        int number = key.timerId().charAt(key.timerId().length() - 1);
        if (world.scenario.limits().areOfParts() && number % 2 == 1) {
            timer.type(ClusterLimits.LIMITED);
        }
        return severalCalls() && number % 2 == 0 ? timer.parallelKey("p" + number % PARALLEL_KEYS) : timer;
    }

    void act() {
        if (world.isInside() && !world.held.isEmpty()) {
            // A call that waits here would stop the loop that made it.
            return;
        }
        List<NodeProcess> callable =
                world.alive().stream().filter(each -> !each.isWriting()).toList();
        if (callable.isEmpty()) {
            return;
        }
        NodeProcess process = world.any(callable);
        if (world.given.noisyTenant && world.random.nextInt(MOST_BETWEEN_BACKLOGS) == 0) {
            schedule(process, backlog());
            return;
        }
        switch (world.random.nextInt(11)) {
            case 0, 1 -> cancel(process, anyKey());
            case 2 -> repeat(process, anyKey());
            case 3 -> {
                List<Timer> batch = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    batch.add(timer(anyKey()));
                }
                schedule(process, batch);
            }
            case 4 -> schedule(process, List.of(recurring(anyKey())));
            default -> schedule(process, List.of(timer(anyKey())));
        }
    }

    /** Returns many timers of one tenant that are due now. */
    private List<Timer> backlog() {
        Instant now = world.clock.now();
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < BACKLOG; i++) {
            timers.add(Timer.at(TimerKey.of("t0", "backlog" + i), now)
                    .correlationId("c" + numbers++)
                    .rearm()
                    .build());
        }
        return timers;
    }

    private Timer timer(TimerKey key) {
        Instant now = world.clock.now();
        Instant dueAt = switch (world.random.nextInt(6)) {
            case 0 -> now;
            case 1 -> now.minus(world.upTo(Duration.ofMinutes(5)));
            default -> now.plus(world.upTo(LONGEST_DELAY));
        };
        Timer.Builder timer =
                Timer.at(key, dueAt).correlationId("c" + numbers++).priority(world.random.nextInt(10) == 0 ? 1 : 0);
        if (world.random.nextInt(6) == 0) {
            timer.expiresAt(dueAt.plus(world.upTo(Duration.ofSeconds(5))));
        }
        if (world.random.nextInt(2) == 0) {
            timer.rearm();
        }
        return keyed(key, timer).build();
    }

    /**
     * Schedules a recurring timer with intervals so short that occurrences are missed. Now and then it repeats a former
     * schedule.
     */
    private Timer recurring(TimerKey key) {
        Duration length = Duration.ofSeconds(world.random.nextInt(2) == 0 ? 2 : 5);
        CatchUp catchUp = world.any(List.of(CatchUp.values()));
        Timer.Builder timer = Timer.recurring(key, Recurrence.every(length).catchUp(catchUp));
        if (world.random.nextInt(3) == 0) {
            timer.correlationId("c" + numbers++);
        }
        if (world.random.nextInt(6) == 0) {
            timer.validFor(Duration.ofSeconds(4));
        }
        if (world.random.nextInt(2) == 0) {
            timer.rearm();
        }
        return keyed(key, timer).build();
    }

    private void repeat(NodeProcess process, TimerKey key) {
        Timer timer = last.get(key);
        if (timer != null) {
            schedule(process, List.of(timer));
        }
    }

    private void schedule(NodeProcess process, List<Timer> timers) {
        timers.forEach(each -> last.put(each.key(), each));
        int since = world.history.size();
        try {
            List<ScheduleResult> results = process.scheduler().scheduleAll(timers);
            results.forEach(each -> process.note(new Event.UserScheduled(each.key(), since, each, null)));
        } catch (TimerExpiredException e) {
            // The call was refused before it reached the store. Calls of the store are recorded.
            return;
        } catch (StoreException | NodeCrash | HeapFull e) {
            timers.forEach(each -> process.note(new Event.UserScheduled(each.key(), since, null, Errors.message(e))));
            World.endUsersCall();
            boolean again = world.random.nextInt(3) > 0;
            if (again && process.isAlive() && !process.isWriting()) {
                schedule(process, timers);
            }
        } finally {
            World.endUsersCall();
        }
    }

    private void cancel(NodeProcess process, TimerKey key) {
        if (calm && (world.held.isHeld(key) || world.refused.isRefused(key))) {
            // Due timers under cancellation take room in a read. A whole batch of them with held rows would delay
            // other timers.
            return;
        }
        int since = world.history.size();
        boolean inTurn = process.isInDelivery();
        try {
            CancelResult result = process.scheduler().cancel(key);
            process.note(new Event.UserCancelled(key, since, inTurn, result, null));
        } catch (StoreException | NodeCrash | HeapFull e) {
            process.note(new Event.UserCancelled(key, since, inTurn, null, Errors.message(e)));
        } finally {
            World.endUsersCall();
        }
    }
}

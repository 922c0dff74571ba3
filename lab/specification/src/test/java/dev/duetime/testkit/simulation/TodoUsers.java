package dev.duetime.testkit.simulation;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.testkit.fault.HeapFull;
import dev.duetime.testkit.fault.NodeCrash;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The users of a todo queue. They enqueue chains of steps with few parallel keys, and likes that are merged, on any
 * node. They also cancel and repeat chains.
 */
final class TodoUsers extends Users {
    private final List<Timer> chains = new ArrayList<>();
    /** Users act while nodes are busy, and todos keep nodes busy. Without this limit a run would not end. */
    private int most = 70;

    private int numbers;

    TodoUsers(World world) {
        super(world);
    }

    @Override
    TimerKey anyKey() {
        return TimerKey.of("nobody");
    }

    @Override
    TimerKey anyVictim() {
        return chains.isEmpty() ? anyKey() : world.any(chains).key();
    }

    @Override
    void calm() {
        most = numbers + 30;
    }

    @Override
    void act() {
        if (numbers >= most || (world.isInside() && !world.held.isEmpty())) {
            return;
        }
        List<NodeProcess> callable =
                world.alive().stream().filter(each -> !each.isWriting()).toList();
        if (callable.isEmpty()) {
            return;
        }
        NodeProcess process = world.any(callable);
        switch (world.random.nextInt(9)) {
            case 0 -> cancel(process);
            case 1 -> repeat(process);
            case 2, 3, 4 -> enqueue(process, List.of(like(nextKey(Work.LIKE), world.upTo(Duration.ofSeconds(2)))));
            case 5 ->
                enqueue(
                        process,
                        List.of(
                                chain(),
                                like(nextKey(Work.LIKE), Duration.ZERO),
                                like(nextKey(Work.LIKE), Duration.ZERO)));
            default -> enqueue(process, List.of(chain()));
        }
    }

    private TimerKey nextKey(String type) {
        return TimerKey.of("tenant-" + world.random.nextInt(2), type + numbers++);
    }

    /** Returns a todo that is merged. */
    Timer like(TimerKey key, Duration delay) {
        return Timer.at(key, world.clock.now().plus(delay))
                .type(Work.LIKE)
                .step(Work.STEPS.get(0))
                .correlationKey("post-" + world.random.nextInt(2))
                .payload(Work.of(key.timerId()).text())
                .build();
    }

    private Timer chain() {
        Instant now = world.clock.now();
        Instant startAt = switch (world.random.nextInt(4)) {
            case 0 -> now;
            case 1 -> now.minus(world.upTo(Duration.ofMinutes(5)));
            default -> now.plus(world.upTo(LONGEST_DELAY));
        };
        TimerKey key = nextKey(Work.CHAIN);
        Timer.Builder chain = Timer.at(key, startAt)
                .type(Work.CHAIN)
                .step(Work.STEPS.get(0))
                .payload(Work.of(key.timerId()).text())
                .priority(world.random.nextInt(10) == 0 ? 1 : 0);
        if (world.random.nextInt(4) > 0) {
            chain.parallelKey("k" + world.random.nextInt(world.scenario.keys()));
        }
        if (world.random.nextInt(8) == 0) {
            chain.expiresAt(later(startAt, now).plus(world.upTo(Duration.ofSeconds(5))));
        }
        Timer built = chain.build();
        chains.add(built);
        return built;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private void repeat(NodeProcess process) {
        if (!chains.isEmpty()) {
            enqueue(process, List.of(chains.get(chains.size() - 1)));
        }
    }

    private void enqueue(NodeProcess process, List<Timer> todos) {
        int since = world.history.size();
        try {
            List<ScheduleResult> results = process.scheduler().scheduleAll(todos);
            for (int i = 0; i < todos.size(); i++) {
                process.note(new Event.UserScheduled(todos.get(i).key(), since, results.get(i), null));
            }
        } catch (TimerExpiredException e) {
            return;
        } catch (StoreException | NodeCrash | HeapFull e) {
            todos.forEach(each -> process.note(new Event.UserScheduled(each.key(), since, null, e.getMessage())));
        } finally {
            World.endUsersCall();
        }
    }

    private void cancel(NodeProcess process) {
        if (chains.isEmpty()) {
            return;
        }
        TimerKey key = chains.get(Math.max(0, chains.size() - 1 - world.random.nextInt(8)))
                .key();
        int since = world.history.size();
        try {
            CancelResult result = process.scheduler().cancel(key);
            process.note(new Event.UserCancelled(key, since, false, result, null));
        } catch (StoreException | NodeCrash | HeapFull e) {
            process.note(new Event.UserCancelled(key, since, false, null, e.getMessage()));
        } finally {
            World.endUsersCall();
        }
    }
}

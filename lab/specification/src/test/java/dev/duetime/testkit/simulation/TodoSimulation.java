package dev.duetime.testkit.simulation;

import dev.duetime.SchedulerBuilder;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.UntypedQueues;
import dev.duetime.engine.settings.TimerMerge;
import dev.duetime.engine.settings.TimerMerge.Decision;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.simulation.invariant.Invariant;
import dev.duetime.testkit.simulation.invariant.Invariants;
import dev.duetime.testkit.simulation.invariant.Violation;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Fault;
import dev.duetime.testkit.simulation.run.History;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * A test run of a cluster with one todo queue, through the same faults as in {@link Simulation}: real schedulers, real
 * workers, virtual time, one thread, and all randomness from the seed.
 */
public final class TodoSimulation {
    /** A todo adds up at most so many likes. The next like is a new todo. */
    private static final int FULL = 4;

    private final Simulation.Builder given;
    private final boolean checksStore;
    private final TimerMerge merge;

    /**
     * Sets up a simulation.
     *
     * @param checksStore whether the store itself is checked as well. If not, the other invariants have to find its
     *     errors
     */
    public TodoSimulation(Supplier<ScheduleStore> store, boolean checksStore, Fault... faults) {
        this(store, checksStore, TodoSimulation::merged, faults);
    }

    /** Sets up a simulation that merges likes in another way. */
    public TodoSimulation(Supplier<ScheduleStore> store, boolean checksStore, TimerMerge merge, Fault... faults) {
        this.merge = merge;
        given = Simulation.builder().store(store).faults(faults).duration(Duration.ofSeconds(20));
        this.checksStore = checksStore;
    }

    /** Runs one seed; throws an {@link AssertionError} that names it if an invariant does not hold. */
    public History run(long seed) {
        Simulation.Builder own = Simulation.builder()
                .store(given.store)
                .faults(given.faults.toArray(new Fault[0]))
                .duration(given.duration);
        own.publishes = false;
        World world = new World(own, seed, TodoUsers::new);
        TodoMode mode =
                seed % 4 == 0 ? TodoMode.SEQUENTIAL : seed % 4 == 1 ? TodoMode.PARALLEL : TodoMode.PARALLEL_BY_KEY;
        int workers = 1 + (int) (seed / 4 % 3);
        if (seed % 8 == 4) {
            // Made by a node that enqueues only and names no mode; one node must own all shards together.
            world.store.leases().open(Timer.DEFAULT_QUEUE, OptionalInt.of(world.shards()));
        } else if (mode == TodoMode.SEQUENTIAL) {
            own.shards = 1;
        }
        own.configure(builder -> configure(builder, world, mode, workers));
        try {
            world.run();
            List<Invariant> ofTodos = List.of(new TodoRuns(mode), new TodosEnd(world.scenario));
            Invariants.ofTodos(ofTodos, world.shards(), checksStore).check(world.history);
        } catch (Violation e) {
            throw new AssertionError(Invariants.report(world.history, e), e);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Invariants.report(world.history, new Violation(null, e.toString())), e);
        }
        return world.history;
    }

    private void configure(SchedulerBuilder builder, World world, TodoMode mode, int workers) {
        NodeProcess process = world.processes.get(world.processes.size() - 1);
        builder.queue(Timer.DEFAULT_QUEUE, queue -> {
            UntypedQueues.merge(queue, Work.LIKE, merge);
            UntypedQueues.handle(queue, (todo, run) -> handle(world, process, todo, run), mode, workers);
        });
    }

    private static Decision merged(StoredTimer waiting, StoredTimer arriving) {
        Work before = Work.of(waiting);
        return before.ids().size() >= FULL
                ? new Decision.Insert()
                : new Decision.Keep(
                        waiting.dueAt(),
                        waiting.content().expiresAt(),
                        waiting.content().priority(),
                        before.with(Work.of(arriving)).text());
    }

    private static Outcome handle(World world, NodeProcess process, StoredTimer todo, TodoRun run) throws Exception {
        process.checkAlive();
        int began = process.note(new Event.Began(todo));
        process.inDelivery(true);
        Outcome outcome = null;
        List<TimerKey> scheduled = new ArrayList<>();
        try {
            world.chaos.interlude(process);
            process.checkAlive();
            world.broker.kill(process, todo.key());
            world.rude.strike();
            world.clock.linger(world.upTo(Duration.ofMillis(80)));
            world.chaos.interlude(process);
            process.checkAlive();
            Outcome found = outcome(world, todo);
            // A todo that is retried keeps its generation, so it would schedule the same child again.
            if (!(found instanceof Outcome.Retry) && world.random.nextInt(6) == 0) {
                TimerKey child = TimerKey.of(todo.key().tenantId(), "child" + todo.generation());
                run.schedule(((TodoUsers) world.users).like(child, world.upTo(Duration.ofSeconds(1))));
                scheduled.add(child);
            }
            outcome = found;
            return outcome;
        } finally {
            process.inDelivery(false);
            process.note(new Event.Finished(began, todo, outcome, scheduled));
            world.rude.strikeAtTheEnd();
        }
    }

    private static Outcome outcome(World world, StoredTimer todo) {
        if (world.chaos.refusesSome()) {
            return switch (world.random.nextInt(12)) {
                case 0 -> Outcome.giveUp("hopeless");
                case 1, 2, 3 -> Outcome.retry(new IllegalStateException("away"));
                default -> throw new IllegalStateException("away");
            };
        }
        if (todo.content().type().equals(Work.LIKE)) {
            return Outcome.complete();
        }
        String step = String.valueOf(todo.content().step());
        int place = Work.STEPS.indexOf(step);
        if (world.random.nextInt(8) == 0) {
            return Outcome.againAfter(world.upTo(Duration.ofMillis(500)));
        }
        return place == Work.STEPS.size() - 1
                ? Outcome.complete()
                : Outcome.next(Work.STEPS.get(place + 1))
                        .with(Work.of(todo).after(step).text());
    }
}

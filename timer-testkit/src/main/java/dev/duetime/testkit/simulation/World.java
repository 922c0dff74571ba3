package dev.duetime.testkit.simulation;

import dev.duetime.internal.UserCode;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Event.Fact;
import dev.duetime.testkit.simulation.run.History;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** The parts of a run. Everything in it happens in one thread, and all randomness comes from one generator. */
final class World {
    /** The deepest nesting of events inside other events. It limits the stack. */
    private static final int DEEPEST = 3;

    final TestClock clock = new TestClock();
    final RandomGenerator random;
    final Simulation.Builder given;
    final Scenario scenario;
    final ScheduleStore store;
    final History history;
    final Broker broker;
    final Chaos chaos;
    final Users users;
    final HeldRows held = new HeldRows(this);
    final RefusedRows refused = new RefusedRows(this);
    final RudeCode rude = new RudeCode(this);
    final List<NodeProcess> processes = new ArrayList<>();

    private Duration storeAhead = Duration.ZERO;
    private int depth;

    World(Simulation.Builder given, long seed) {
        this(given, seed, Users::new);
    }

    World(Simulation.Builder given, long seed, Function<World, Users> users) {
        this.given = given;
        random = new SplittableRandom(seed);
        scenario = Scenario.draw(given.nodes, given.keys, given.faults, given.rate, given.concurrency, random)
                .withLimits(given.limits, given.parallelKeyLimit);
        store = given.store.get();
        history = new History(seed);
        broker = new Broker(this);
        chaos = new Chaos(this);
        this.users = users.apply(this);
    }

    void run() {
        note("", new Event.Phase("chaos: " + scenario));
        chaos.leaveFutureLeases();
        for (int i = 0; i < scenario.nodes(); i++) {
            String node = "node-" + i;
            if (processes.stream().noneMatch(each -> each.node.equals(node))) {
                start(node);
            }
        }
        Instant end = clock.now().plus(given.duration);
        while (clock.now().isBefore(end)) {
            clock.advance(upTo(Duration.ofMillis(600)));
            chaos.act();
        }
        note("", new Event.Phase("recovery"));
        chaos.end();
        clock.advance(given.recovery(scenario));
        note("", new Event.Phase("calm"));
        users.calm();
        end = clock.now().plus(given.calm);
        if (given.steadyBacklog) {
            users.pileUp(given.calm);
            clock.advance(given.calm);
        }
        while (clock.now().isBefore(end)) {
            clock.advance(upTo(Duration.ofMillis(600)));
            chaos.holdInCalm();
            chaos.refuseInCalm();
            users.act();
        }
        users.rest();
        held.release();
        refused.end();
        note("", new Event.Phase("quiet"));
        if (given.steadyBacklog) {
            users.cancelAll();
        }
        clock.advance(Users.LONGEST_DELAY.plus(scenario.poll()).plus(scenario.poll()));
        note("", new Event.Phase("end"));
    }

    /** Starts a process of the node. The process may crash during its start. */
    void start(String node) {
        long before = processes.stream().filter(each -> each.node.equals(node)).count();
        NodeProcess process = new NodeProcess(this, node, node + "#" + (before + 1));
        processes.add(process);
        process.start();
    }

    List<NodeProcess> alive() {
        return processes.stream().filter(NodeProcess::isAlive).toList();
    }

    /** Clears the interrupt flag. In a run, the user's thread is also the thread of all loops. */
    static void endUsersCall() {
        UserCode.clearInterrupt();
    }

    /** Sets the clock of the store. */
    void setStoreClock(Duration ahead) {
        if (!storeAhead.equals(ahead)) {
            storeAhead = ahead;
            note("", new Event.StoreClockSet(ahead));
        }
    }

    Instant storeNow() {
        return clock.now().plus(storeAhead);
    }

    int note(String process, Fact fact) {
        return history.add(clock.now(), process, fact);
    }

    /** Runs an action inside another one, unless that nests too deep. */
    void inside(Runnable action) {
        if (depth >= DEEPEST) {
            return;
        }
        depth++;
        try {
            action.run();
        } finally {
            depth--;
        }
    }

    int shards() {
        return given.shards == null ? scenario.shards() : given.shards;
    }

    /** Returns whether an event happens inside another one. */
    boolean isInside() {
        return depth > 0;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Returns a duration in whole microseconds, short ones more often than long ones. */
    Duration upTo(Duration most) {
        double part = random.nextDouble();
        return Duration.ofNanos((long) (part * part * most.toNanos()) / 1_000 * 1_000);
    }

    <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}

package dev.duetime.testkit.simulation;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.fault.NodeCrash;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Event.Fact;
import dev.duetime.testkit.simulation.run.Event.Life;
import dev.duetime.testkit.simulation.run.Event.Life.What;
import dev.duetime.testkit.simulation.run.Fault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Is one process of a node, from its start to its end: a real scheduler that reaches store and broker through faults.
 */
final class NodeProcess {
    final String node;
    final String id;
    final TestClock.Node clock;

    private final World world;
    private @Nullable Scheduler scheduler;
    private boolean over;
    private boolean crashed;
    private boolean paused;
    private int deliveries;
    private int writes;
    private int underWay;
    private Instant storeDownUntil = Instant.MIN;

    NodeProcess(World world, String node, String id) {
        this.world = world;
        this.node = node;
        this.id = id;
        this.clock = world.clock.node(id);
    }

    void start() {
        note(new Life(What.STARTED, null));
        try {
            var builder = Scheduler.builder()
                    .store(new SimulatedStore(world.store, this))
                    .carrier(clock)
                    .random(new SplittableRandom(world.random.nextLong()))
                    .nodeId(node);
            if (world.given.publishes) {
                builder.publisher(batch -> world.broker.publish(this, batch));
            }
            world.scenario.apply(builder);
            world.given.settings.accept(builder);
            Scheduler built = builder.build();
            built.start();
            scheduler = built;
        } catch (StoreException | NodeCrash e) {
            crash();
        }
    }

    /** Returns whether it runs and users can call it. */
    boolean isAlive() {
        return scheduler != null && !over && !paused;
    }

    boolean isPaused() {
        return paused && !over;
    }

    boolean isOver() {
        return over;
    }

    /** Returns whether it does or may do anything yet; until then no other process may have the name of its node. */
    boolean mayStillAct() {
        return !crashed && (!over || underWay > 0);
    }

    /** Returns whether its publisher is at work, or it settles. */
    boolean isInDelivery() {
        return deliveries > 0;
    }

    /**
     * Returns whether a user's schedule is under way: calls of one process wait for each other, and here is one thread.
     */
    boolean isWriting() {
        return writes > 0;
    }

    Scheduler scheduler() {
        if (scheduler == null) {
            throw new IllegalStateException("process " + id + " did not survive its start");
        }
        return scheduler;
    }

    void crash() {
        if (!crashed) {
            note(new Life(What.CRASHED, null));
        }
        crashed = true;
        over = true;
        clock.kill();
    }

    void close() {
        over = true;
        try {
            scheduler().close();
        } catch (NodeCrash e) {
            return;
        }
        note(new Life(What.CLOSED, null));
    }

    /** Stands still from now on. */
    void pause() {
        paused = true;
        clock.pause();
        note(new Life(What.PAUSED, null));
    }

    void resume() {
        paused = false;
        clock.resume();
    }

    /** Stands still in the midst of what it does. */
    void pause(Duration length) {
        note(new Life(What.PAUSED, length));
        paused = true;
        clock.pause();
        world.clock.linger(length);
        resume();
    }

    void hang(Duration length) {
        note(new Life(What.HUNG, length));
        world.clock.linger(length);
    }

    void jump(Duration by) {
        note(new Life(What.JUMPED, by));
        clock.jump(by);
    }

    void loseStore(Instant until) {
        storeDownUntil = until;
    }

    void recover() {
        storeDownUntil = Instant.MIN;
        if (paused) {
            resume();
        }
    }

    /** Ends what the process is doing if it was killed meanwhile. */
    void checkAlive() {
        if (crashed) {
            throw new NodeCrash(id);
        }
    }

    /** Calls the store: anything may happen before and after, and the answer may be lost. */
    <R> R call(StoreCall call, Supplier<R> work, Function<R, @Nullable Fact> fact) {
        checkAlive();
        if (call == StoreCall.SCHEDULE) {
            writes++;
        }
        deliveries += call == StoreCall.SETTLE ? 1 : 0;
        underWay++;
        try {
            world.chaos.interlude(this);
            checkAlive();
            if (world.clock.now().isBefore(storeDownUntil) || world.chaos.strikes(Fault.STORE_FAILURE)) {
                throw broken(call, false);
            }
            R result = work.get();
            Fact known = fact.apply(result);
            if (known != null) {
                note(known);
            }
            if (world.chaos.strikes(Fault.LOST_REPLY)) {
                throw broken(call, true);
            }
            world.chaos.interlude(this);
            checkAlive();
            return result;
        } finally {
            underWay--;
            deliveries -= call == StoreCall.SETTLE ? 1 : 0;
            if (call == StoreCall.SCHEDULE) {
                writes--;
            }
        }
    }

    boolean readsBesideWrites() {
        return world.scenario.readsBesideWrites();
    }

    /** Notes that its publisher is at work. */
    void inDelivery(boolean begins) {
        deliveries += begins ? 1 : -1;
        underWay += begins ? 1 : -1;
    }

    private StoreException broken(StoreCall call, boolean done) {
        note(new Event.Broken(call, done));
        return new StoreException(
                call.name().toLowerCase(Locale.ROOT),
                "by " + id,
                new IOException(done ? "reply lost" : "no connection"));
    }

    int note(Fact fact) {
        return world.note(id, fact);
    }

    Instant now() {
        return world.clock.now();
    }
}

package dev.duetime.testkit;

import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.testkit.fault.NodeCrash;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.fault.StoreFaults;
import dev.duetime.testkit.fault.StoreFaults.Effect;
import dev.duetime.testkit.fault.StoreFaults.Moment;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A node of a {@link TimerKit}: a scheduler on the store and the clock that all nodes share. It can crash, pause and
 * return, and its calls to the store can fail. Not thread-safe, except {@link #crash}.
 */
public final class KitNode {
    private final TimerKit kit;
    private final String id;
    private final Consumer<SchedulerBuilder> settings;

    // Mutable state: the node's process, replaced by a restart.
    private volatile TestClock.Node clock;
    private volatile StoreFaults faults;
    private volatile Scheduler scheduler;
    private volatile boolean crashed;

    KitNode(TimerKit kit, String id, Consumer<SchedulerBuilder> settings) {
        this.kit = kit;
        this.id = id;
        this.settings = settings;
        this.clock = kit.clock().node(id);
        this.faults = new StoreFaults(id, this::crash);
        this.scheduler = kit.build(this, settings);
    }

    /** Returns the node's name, {@code node-0} for the first. */
    public String id() {
        return id;
    }

    /** Returns the node's scheduler; a new one after each {@link #restart}. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** Returns the node's view of the clock; a new one after each {@link #restart}. */
    public TestClock.Node clock() {
        return clock;
    }

    StoreFaults faults() {
        return faults;
    }

    /**
     * Kills the node's process. The node's loops vanish. The node keeps its shards until their lease ends. Its further
     * calls to the store throw {@link NodeCrash}.
     *
     * @throws NodeCrash if called from inside a turn of this node, for example by its publisher, to end the turn
     */
    public void crash() {
        crashed = true;
        clock.kill();
        faults.die();
        kit.clock().changed();
        if (clock.isRunningHere()) {
            throw new NodeCrash(id);
        }
    }

    /** Kills the node at its next such call, before the store executes it. */
    public KitNode crashBefore(StoreCall call) {
        return add(call, Moment.BEFORE, Effect.CRASH);
    }

    /** Kills the node at its next such call, after the store has executed it and before the node gets the reply. */
    public KitNode crashAfter(StoreCall call) {
        return add(call, Moment.AFTER, Effect.CRASH);
    }

    /** Makes the next such call throw a {@link dev.duetime.StoreException} before the store executes it. */
    public KitNode failBefore(StoreCall call) {
        return add(call, Moment.BEFORE, Effect.FAIL);
    }

    /** Makes the next such call throw a {@link dev.duetime.StoreException} after the store has executed it. */
    public KitNode failAfter(StoreCall call) {
        return add(call, Moment.AFTER, Effect.FAIL);
    }

    private KitNode add(StoreCall call, Moment moment, Effect effect) {
        faults.add(call, moment, effect);
        kit.clock().changed();
        return this;
    }

    /** Makes the store unavailable to this node for some calls, until {@link #storeUp}. */
    public KitNode storeDown(Predicate<StoreCall> calls) {
        faults.unavailable(calls);
        kit.clock().changed();
        return this;
    }

    /** Makes the store unavailable to this node, until {@link #storeUp}. */
    public KitNode storeDown() {
        return storeDown(call -> true);
    }

    /** Makes the store available again. */
    public KitNode storeUp() {
        return storeDown(call -> false);
    }

    /**
     * Returns how often the node has made such a call, whatever its result; from 0 again after each {@link #restart}.
     */
    public int calls(StoreCall call) {
        return faults.calls(call);
    }

    /** Returns whether the node has crashed and was not restarted since. */
    public boolean isCrashed() {
        return crashed;
    }

    /** Stops the node's loops, like a long pause of its process. Time passes meanwhile. */
    public void pause() {
        clock.pause();
    }

    /** Lets the node's loops run again. */
    public void resume() {
        clock.resume();
    }

    /** Starts the node's scheduler, if the kit was built without starting it. */
    public void start() {
        scheduler.start();
    }

    /** Closes the node's scheduler without a crash. Does nothing on a crashed node. */
    public void close() {
        if (!crashed) {
            scheduler.close();
        }
    }

    /** Ends the node's process, by a crash unless it was closed, and starts another one with the same name. */
    public void restart() {
        crash();
        clock = kit.clock().node(id);
        faults = new StoreFaults(id, this::crash);
        crashed = false;
        scheduler = kit.build(this, settings);
        scheduler.start();
    }
}

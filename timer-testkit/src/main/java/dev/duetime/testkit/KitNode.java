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
 * Is one node of a {@link TimerKit}: a scheduler of its own on the store and the clock of all. It can crash, pause and come
 * back, and its calls to the store can go wrong. Not thread-safe, but for {@link #crash}.
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

    /** Returns its name among the nodes, {@code node-0} for the first. */
    public String id() {
        return id;
    }

    /** Returns its scheduler; another one after each {@link #restart}. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** Returns its view of the clock; another one after each {@link #restart}. */
    public TestClock.Node clock() {
        return clock;
    }

    StoreFaults faults() {
        return faults;
    }

    /**
     * Kills the node's process: its loops vanish, its shards stay with it until their lease ends, and whatever it still
     * calls on the store throws {@link NodeCrash}.
     *
     * @throws NodeCrash if called from inside a turn of this node, for instance by its publisher: nothing more runs there
     */
    public void crash() {
        crashed = true;
        clock.kill();
        faults.die();
        if (clock.isRunningHere()) {
            throw new NodeCrash(id);
        }
    }

    /** Kills the node at its next such call, before the store has done anything. */
    public KitNode crashBefore(StoreCall call) {
        faults.add(call, Moment.BEFORE, Effect.CRASH);
        return this;
    }

    /** Kills the node at its next such call, when the store has done it but nobody has learned. */
    public KitNode crashAfter(StoreCall call) {
        faults.add(call, Moment.AFTER, Effect.CRASH);
        return this;
    }

    /** Makes the next such call throw a {@link dev.duetime.StoreException} before the store has done anything. */
    public KitNode failBefore(StoreCall call) {
        faults.add(call, Moment.BEFORE, Effect.FAIL);
        return this;
    }

    /** Makes the next such call throw a {@link dev.duetime.StoreException} though the store has done it. */
    public KitNode failAfter(StoreCall call) {
        faults.add(call, Moment.AFTER, Effect.FAIL);
        return this;
    }

    /** Makes the store unavailable to this node, for such calls, until {@link #storeUp}. */
    public KitNode storeDown(Predicate<StoreCall> calls) {
        faults.unavailable(calls);
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

    /** Returns how often it has made such a call, whatever came of it; from 0 again after each {@link #restart}. */
    public int calls(StoreCall call) {
        return faults.calls(call);
    }

    /** Returns whether it has crashed and was not restarted since. */
    public boolean isCrashed() {
        return crashed;
    }

    /** Stops its loops, as a long pause of its process does. Time goes on. */
    public void pause() {
        clock.pause();
    }

    /** Lets its loops go on. */
    public void resume() {
        clock.resume();
    }

    /** Starts its scheduler, if the kit was built not to. */
    public void start() {
        scheduler.start();
    }

    /** Closes its scheduler in good order. A crashed node is left as it is. */
    public void close() {
        if (!crashed) {
            scheduler.close();
        }
    }

    /** Ends the node's process, by a crash unless it was closed, and starts another one under the same name. */
    public void restart() {
        crash();
        clock = kit.clock().node(id);
        faults = new StoreFaults(id, this::crash);
        crashed = false;
        scheduler = kit.build(this, settings);
        scheduler.start();
    }
}

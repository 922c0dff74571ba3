package dev.duetime.testkit.simulation;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.store.CollisionException;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.fault.HeapFull;
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
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of a node, from its start to its end: a real scheduler whose calls of the store and the broker can fail.
 */
final class NodeProcess {
    /** How much of what is due a read may pass over, if the database {@linkplain Fault#CANCELLED_READ cancels} others. */
    private static final Duration LONGEST_PASSED_OVER = Duration.ofSeconds(1);

    private static final int MOST_MILLIS = 300;

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
    private Instant heapFullUntil = Instant.MIN;

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
                    .nodeId(node)
                    .listener(world.rude.listener())
                    .extension(world.rude.extension());
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
        } finally {
            World.endUsersCall();
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

    /**
     * Returns whether it still acts, or may act later. Until its end no other process may have the name of its node.
     */
    boolean mayStillAct() {
        return !crashed && (!over || underWay > 0);
    }

    /** Returns whether it publishes or settles now. */
    boolean isInDelivery() {
        return deliveries > 0;
    }

    /**
     * Returns whether a user's schedule is under way. Calls of one process wait for each other, so in one thread a
     * second call would hang.
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
        } finally {
            World.endUsersCall();
        }
        note(new Life(What.CLOSED, null));
    }

    /** Pauses the process from now on. */
    void pause() {
        paused = true;
        clock.pause();
        note(new Life(What.PAUSED, null));
    }

    void resume() {
        paused = false;
        clock.resume();
    }

    /** Pauses the process in the middle of a call. */
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

    void fillHeap(Instant until) {
        heapFullUntil = until;
    }

    void recover() {
        storeDownUntil = Instant.MIN;
        heapFullUntil = Instant.MIN;
        if (paused) {
            resume();
        }
    }

    /** Ends the current call if the process was killed during it. */
    void checkAlive() {
        if (crashed) {
            throw new NodeCrash(id);
        }
    }

    /** Calls the store. Other events may happen before and after the call, and its reply may be lost. */
    <R> R call(StoreCall call, Supplier<R> work, Function<R, @Nullable Fact> fact) {
        checkAlive();
        if (Thread.interrupted()) {
            note(new Event.Interrupted(call));
        }
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
            checkHeap(call, false);
            R result = work.get();
            Fact known = fact.apply(result);
            if (known != null) {
                note(known);
            }
            if (world.chaos.strikes(Fault.LOST_REPLY) || world.chaos.losesReplyInCalm(call)) {
                throw broken(call, true);
            }
            checkHeap(call, true);
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

    /** Only a loop's turn may end with such an error: in a user's call, the error would end the user's own turn. */
    private void checkHeap(StoreCall call, boolean done) {
        boolean full = world.clock.now().isBefore(heapFullUntil);
        if (!over && clock.isRunningHere() && (full || world.chaos.strikes(Fault.FULL_HEAP))) {
            note(new Event.HeapWasFull(call, done));
            throw new HeapFull(call + " by " + id);
        }
    }

    /** Waits for rows that other transactions hold, and fails as a database does. */
    void awaitRows(StoreCall call, List<TimerKey> keys, Duration most) {
        if (!world.held.await(keys, most)) {
            throw new CollisionException(call.name().toLowerCase(Locale.ROOT), "by " + id, new IOException("held"));
        }
        checkAlive();
    }

    void awaitRowsOf(List<Settlement> settlements) {
        List<TimerKey> keys = settlements.stream().map(Settlement::key).toList();
        if (!world.held.await(keys, HeldRows.BRIEFLY)) {
            throw new LockedException("settle", "by " + id, new IOException("held"));
        }
        checkAlive();
    }

    /** Lets time pass between a read and a write of limits, in which other nodes may write. */
    void waitBeforeWrite() {
        if (world.given.steadyBacklog && world.chance(0.5)) {
            world.inside(() -> world.clock.linger(Duration.ofMillis(world.random.nextInt(MOST_MILLIS))));
            checkAlive();
        }
    }

    RefusedRows refused() {
        return world.refused;
    }

    /** Returns the outcomes whose rows other transactions hold. */
    List<Settlement> locked(List<Settlement> settlements) {
        return settlements.stream()
                .filter(each -> world.held.isHeld(each.key()))
                .toList();
    }

    boolean losesHints() {
        return world.chaos.losesHint();
    }

    boolean readsBesideWrites() {
        return world.scenario.readsBesideWrites();
    }

    /** Notes that its publisher is being called. */
    void inDelivery(boolean begins) {
        deliveries += begins ? 1 : -1;
        underWay += begins ? 1 : -1;
    }

    /** Cancels a read that passes over much, if that is one of the faults. */
    void checkRead(Duration passedOver) {
        if (passedOver.compareTo(LONGEST_PASSED_OVER) > 0
                && world.scenario.faults().contains(Fault.CANCELLED_READ)) {
            throw broken(StoreCall.DUE, false);
        }
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

    Instant storeNow() {
        return world.storeNow();
    }
}

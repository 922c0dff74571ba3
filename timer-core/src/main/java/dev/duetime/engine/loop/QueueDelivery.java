package dev.duetime.engine.loop;

import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Is what a queue's loop does with what is due: hands it to a publisher, batch by batch, or to a handler, one by one.
 * Used by the loop's thread, but for what any thread may ask: {@link #inFlight}, {@link #publisherOutage}, {@link
 * #shards}.
 */
public interface QueueDelivery {
    /** Returns what is in delivery. */
    InFlight inFlight();

    /** Returns the failures in a row of what is delivered to, if nothing got through the last time. */
    @Nullable
    OngoingOutage publisherOutage();

    /** Returns what counts the attempts of nodes that vanished. */
    CrashAttempts lostAttempts();

    /** Returns the shards from which timers may be in delivery: being read, or read and not settled. */
    Set<Integer> shards();

    /** Begins to read: what this read returns and {@code cancel} has not named since may be delivered. */
    void beginRead();

    /** Ends what {@link #beginRead} began, whether or not anything was read. */
    void endRead();

    /**
     * Returns which of the shards may be read. First it is told that they are in delivery, then asked whether they are
     * owned: who gives a shard back stops owning it first and asks for deliveries then.
     */
    Set<Integer> claim(Set<Integer> wanted);

    /** Makes the next read find a timer that is due at that time. */
    void announced(Instant dueAt);

    /** Returns what to read of the claimed shards. */
    DueQuery read(Set<Integer> claimed, Instant now);

    /** Notes that the last read failed: the next one is smaller. */
    void readFailed();

    /**
     * Delivers what was read, or takes it in to deliver it, after what is being settled beside the loop.
     *
     * @param publishing run before a publisher is called, if one is
     * @return until when to leave the queue alone: {@link Instant#MIN} but in an outage
     */
    Instant deliver(DueTimers due, Runnable publishing) throws InterruptedException;

    /**
     * Returns whether what is due by now may be passed over by the next look for what is due.
     *
     * @param read what was read
     */
    boolean passesOver(DueTimers read);

    /**
     * Returns whether to read again at once, without asking when the next timer is due: where several were due at once
     * others are by now, and to read them takes no longer than to ask.
     */
    default boolean readsOn(DueTimers read) {
        return read.more() || read.timers().size() > 1;
    }

    /** Settles what is open, and goes on with it; waits for what is being settled beside the loop. */
    void settleOpen();

    /** Returns whether what was delivered is being settled beside the loop, which may read meanwhile, but not wait. */
    default boolean isSettling() {
        return false;
    }

    /** Returns whether there is room for more. */
    default boolean hasRoom() {
        return true;
    }

    /**
     * Returns whether a look may pass over what was read.
     *
     * @param looked whether one has
     */
    default boolean stillPassesOver(boolean looked) {
        return !looked;
    }

    /** Returns, once, whether all that is due must be read again. */
    default boolean readsAgain() {
        return false;
    }

    /** Returns when the loop must look at what is in delivery. */
    default Instant nextLook() {
        return Instant.MAX;
    }

    /** Returns whether the queue is paused: asked again right before anything begins. */
    PauseFlag pauseFlag();

    /** Notes whether the queue is paused. Called by the loop's thread, or by any other to pause. */
    default void paused(boolean isPaused) {}

    /**
     * Starts workers, if there are any.
     *
     * @param loop told when the queue's loop must read what is due; {@link Instant#MAX} for a turn that need not
     */
    default void start(Consumer<Instant> loop) {}

    /**
     * Stops what runs on other shards than these: this node has lost them, or cannot renew its leases, and another node will
     * run it. Called by any thread, before the lease ends.
     */
    default void ownsOnly(Set<Integer> owned) {}

    /** Ends the workers that were started, before any of them has taken anything; they can be started again. */
    default void undoStart() {}

    /** Makes workers take nothing new. */
    default void beginClose() {}

    /** Waits for the workers, each no longer than is left; returns whether all have ended. */
    default boolean closeWorkers(Supplier<Duration> left) {
        return true;
    }
}

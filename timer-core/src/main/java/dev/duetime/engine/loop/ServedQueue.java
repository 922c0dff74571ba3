package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueuePause;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.shards.ShardClaims;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue that this node delivers: its poll loop, its delivery, and the calls of other threads to both. Thread-safe.
 */
public final class ServedQueue {
    private final LoopParts parts;
    private final DeliveryLife delivery;
    private final Supplier<@Nullable OngoingOutage> publisherOutage;
    private final ShardClaims shards;
    private final LoopState state;
    private final PollLoop pollLoop;

    /** The running loop; null if none runs. */
    private volatile Clock.@Nullable Loop loop;

    /**
     * Creates the loop of a queue.
     *
     * @param delivery handles due timers
     * @param life the life of the same delivery
     * @param publisherOutage returns the publisher's failures in a row; none if its last call succeeded
     */
    public ServedQueue(
            LoopParts parts,
            QueueDelivery delivery,
            DeliveryLife life,
            Supplier<@Nullable OngoingOutage> publisherOutage) {
        this.parts = parts;
        this.delivery = life;
        this.publisherOutage = publisherOutage;
        shards = new ShardClaims(name(), parts.owner(), parts.inFlight(), life::unsettledShards);
        state = LoopState.of(parts, delivery);
        pollLoop = new PollLoop(parts, delivery, shards, state);
    }

    String name() {
        return parts.queue().name();
    }

    LoopWatch watch() {
        return parts.clock();
    }

    void start() {
        Clock.Loop started = watch().startPatient("duetime-" + name(), pollLoop);
        loop = started;
        delivery.start(dueAt -> {
            state.nextRead().announce(dueAt);
            started.wakeAt(dueAt.equals(Instant.MAX) ? watch().now() : dueAt);
        });
    }

    /** Ends the loop before it has delivered anything. It can be started again. */
    void undoStart() {
        Clock.Loop started = loop;
        if (started != null) {
            loop = null;
            delivery.undoStart();
            started.close(Duration.ZERO);
        }
    }

    boolean isStarted() {
        return loop != null;
    }

    /** Makes the loop read a timer that is due at that time. */
    void wake(Instant dueAt) {
        Clock.Loop started = loop;
        if (started != null) {
            state.nextRead().announce(dueAt);
            started.wakeAt(dueAt);
        }
    }

    /** Makes the loop ask for a timer whose commit it does not see. */
    void wakeUncommitted(Instant dueAt) {
        Clock.Loop started = loop;
        if (started != null) {
            started.wakeAt(state.nextTurn().announceUncommitted(dueAt));
        }
    }

    /** Notes that an operator paused or resumed the queue on this node. After a pause nothing more begins. */
    void pause(@Nullable QueuePause pause) {
        parts.pause().set(pause);
        wake(Instant.MIN);
    }

    void takenOver(int shard, Instant leaseEnded) {
        delivery.takenOver(shard, leaseEnded);
    }

    void cameFromOthers(Set<Integer> shards) {
        delivery.cameFromOthers(shards);
    }

    void ownsOnly(Set<Integer> owned) {
        delivery.ownsOnly(owned);
    }

    /** Returns the shards from which timers may be in delivery. */
    Set<Integer> shardsInDelivery() {
        return shards.inDelivery();
    }

    /** Returns the timers in delivery. */
    public InFlight inFlight() {
        return parts.inFlight();
    }

    /** Returns the health of this queue on this node. */
    QueueHealth health(Instant now) {
        return new QueueHealth(
                name(),
                parts.owner().owned(name()).size(),
                parts.inFlight().size(),
                state.vitals().lastPoll(),
                state.vitals().oldestDue(now),
                state.vitals().turnSince(),
                state.backOff().storeOutage(),
                publisherOutage.get(),
                parts.pause().pause(),
                parts.owner().whyNoShards(name()));
    }

    /** Makes all turns after the running one do nothing. */
    void beginClose() {
        state.end().beginClose();
        delivery.beginClose();
    }

    /**
     * Waits for the delivery and then for the running turn, and then interrupts it. Returns which of them have ended.
     */
    Ended close(Supplier<Duration> left) {
        boolean deliveryEnded = delivery.close(left);
        boolean loopEnded = Objects.requireNonNull(loop, "loop").close(left.get());
        return new Ended(loopEnded, deliveryEnded);
    }

    /** The parts of a closing queue that have ended. */
    record Ended(boolean loop, boolean delivery) {}

    /** Makes the running turn write its outcomes itself, because no thread waits for it any longer. */
    void finishAfterTurn() {
        state.end().finishAfterTurn();
    }

    /** Writes open outcomes and releases the shards, after the last turn. Returns whether the store accepted both. */
    public boolean finish() {
        return state.end().finish();
    }

    /** Writes open outcomes if the store is available. */
    public void settleOpen() {
        state.end().settleOpen();
    }
}

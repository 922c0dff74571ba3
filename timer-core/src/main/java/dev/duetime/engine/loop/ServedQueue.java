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

/** A queue that this node delivers: its poll loop, its delivery, and what other threads ask of both. Thread-safe. */
public final class ServedQueue {
    private final LoopParts parts;
    private final DeliveryLife delivery;
    private final Supplier<@Nullable OngoingOutage> publisherOutage;
    private final ShardClaims shards;
    private final LoopState state;
    private final PollLoop pollLoop;

    /** The running loop; null while none runs. */
    private volatile Clock.@Nullable Loop loop;

    /**
     * Creates the loop of a queue.
     *
     * @param delivery what the loop does with due timers
     * @param life the life of the same delivery
     * @param publisherOutage returns the failures of the publisher in a row, if its last call was one
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

    /** Ends the loop before it delivered anything; it can be started again. */
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

    /** Makes the loop look for a timer whose commit is not seen. */
    void wakeUncommitted(Instant dueAt) {
        Clock.Loop started = loop;
        if (started != null) {
            started.wakeAt(state.nextTurn().announceUncommitted(dueAt));
        }
    }

    /** Notes that an operator paused or resumed the queue on this node: after a pause nothing begins any more. */
    void pause(@Nullable QueuePause pause) {
        parts.pause().set(pause);
        wake(Instant.MIN);
    }

    void takenOver(int shard, Instant leaseEnded) {
        delivery.takenOver(shard, leaseEnded);
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

    /** Returns how this queue fares on this node. */
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

    /** Makes the turns after the running one do nothing. */
    void beginClose() {
        state.end().beginClose();
        delivery.beginClose();
    }

    /** Waits for the delivery and then for the running turn, then interrupts it; returns what has ended. */
    Ended close(Supplier<Duration> left) {
        boolean deliveryEnded = delivery.close(left);
        boolean loopEnded = Objects.requireNonNull(loop, "loop").close(left.get());
        return new Ended(loopEnded, deliveryEnded);
    }

    /** Tells what has ended of a queue that is being closed. */
    record Ended(boolean loop, boolean delivery) {}

    /** Makes the running turn finish by itself, since nobody waits for it any more. */
    void finishAfterTurn() {
        state.end().finishAfterTurn();
    }

    /** Writes open outcomes and gives the shards back, after the last turn; returns whether the store took both. */
    public boolean finish() {
        return state.end().finish();
    }

    /** Writes open outcomes, if the store takes them. */
    public void settleOpen() {
        state.end().settleOpen();
    }
}

package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueuePause;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.report.DeliveryRing;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.shards.ShardClaims;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue that this node delivers: its poll loop, its delivery, and the calls of other threads to both. Thread-safe.
 */
public final class ServedQueue {
    /** A loop is behind if a timer has been due, or a turn has run, for this long. */
    private static final Duration BEHIND = Duration.ofSeconds(1);

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
        state = LoopState.of(parts, delivery, shards);
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
        delivery.onCallEnd(state.end()::callEnded);
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
            EndSteps.all(List.of(delivery::undoStart, () -> started.close(Duration.ZERO)));
        }
    }

    boolean isStarted() {
        return loop != null;
    }

    /** Makes the loop read a timer that is due at that time; {@link Instant#MIN} for all that is due. */
    void wake(Instant dueAt) {
        wakeAt(dueAt, nextRead -> nextRead.announce(dueAt));
    }

    /** Makes the loop read a timer, it is not known when that is due. */
    void wakeUnknown() {
        wakeAt(Instant.MIN, NextRead::announceUnknown);
    }

    private void wakeAt(Instant time, Consumer<NextRead> reason) {
        Clock.Loop started = loop;
        if (started != null) {
            reason.accept(state.nextRead());
            started.wakeAt(time);
        }
    }

    /**
     * Returns whether a timer that falls due now would be delivered soon. It would not be if the loop does not run, the
     * store or the publisher is unavailable, a timer has been due for a second, a turn takes that long, or all workers
     * are busy.
     */
    boolean keepsUp() {
        HandlerSettings handler = parts.queue().handler();
        return isStarted()
                && !state.backOff().isSet()
                && !state.vitals().isBehind(watch().now().minus(BEHIND))
                && (handler == null || parts.inFlight().size() < handler.workers());
    }

    /**
     * Makes the loop ask for a timer whose commit it does not see.
     *
     * @param dueAt when it is due; {@link Instant#MIN} if that is not known
     */
    void wakeUncommitted(Instant dueAt) {
        Clock.Loop started = loop;
        if (started != null) {
            started.wakeAt(state.nextTurn().announceUncommitted(dueAt));
        }
    }

    /** Returns the permission to poll for this queue and others; null if it is not idle. */
    IdleAnswers.@Nullable Ticket idle() {
        return isStarted() ? state.nextRead().answers().ticket() : null;
    }

    /** Hands the answer to such a poll to the loop. */
    void answer(IdleAnswers.Answer answer) {
        Clock.Loop started = loop;
        if (started != null) {
            state.nextRead().answers().give(answer);
            started.wakeAt(Instant.MIN);
        }
    }

    Duration pollInterval() {
        return parts.queue().pollInterval();
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

    /** Returns the limits of the cluster, as this node uses them. */
    public QueuePermits permits() {
        return parts.permits();
    }

    /** Returns the health of this queue on this node. */
    QueueHealth health(Instant now) {
        return new QueueHealth(
                name(),
                parts.owner().owned(name()).size(),
                parts.inFlight().size(),
                state.vitals().lastPoll(),
                state.vitals().oldestDue(now),
                turnSince(),
                state.backOff().storeOutage(),
                publisherOutage.get(),
                parts.pause().pause(),
                parts.owner().whyNoShards(name()),
                parts.permits().waiting());
    }

    /** Returns since when the running turn, or a call beside it, has lasted; null if none runs. */
    private @Nullable Instant turnSince() {
        return Times.earliest(state.vitals().turnSince(), delivery.oldestCallSince());
    }

    /** Returns what this node has delivered lately. */
    public DeliveryRing delivered() {
        return parts.delivered();
    }

    /** Makes all turns after the running one do nothing. */
    void beginClose() {
        EndSteps.all(List.of(state.end()::beginClose, delivery::beginClose));
    }

    /**
     * Waits for the delivery and then for the running turn, and then interrupts it. Returns which of them have ended.
     */
    Ended close(Supplier<Duration> left) {
        Clock.Loop running = Objects.requireNonNull(loop, "loop");
        AtomicBoolean deliveryEnded = new AtomicBoolean();
        AtomicBoolean loopEnded = new AtomicBoolean();
        EndSteps.all(
                List.of(() -> deliveryEnded.set(delivery.close(left)), () -> loopEnded.set(running.close(left.get()))));
        return new Ended(loopEnded.get(), deliveryEnded.get());
    }

    /** The parts of a closing queue that have ended. */
    record Ended(boolean loop, boolean delivery) {}

    /**
     * Makes the running turn and the running calls write their outcomes themselves, because no thread waits for them
     * any longer.
     *
     * @param isLoopOver whether no turn runs
     */
    void noLongerAwaited(boolean isLoopOver) {
        state.end().noLongerAwaited(isLoopOver);
    }

    /** Writes open outcomes and releases the shards, after the last turn. Returns whether the store accepted both. */
    public boolean finish() {
        return state.end().finish();
    }

    /** Writes open outcomes of a queue whose delivery still runs, if the store is available. */
    public void finishUnawaited() {
        state.end().finishUnawaited();
    }
}

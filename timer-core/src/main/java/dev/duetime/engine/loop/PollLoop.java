package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.shards.Claim;
import dev.duetime.engine.shards.ShardClaims;
import dev.duetime.listener.PolledBatch;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * The loop of one queue. Each turn settles earlier deliveries, claims shards, and reads, sorts and delivers due timers.
 * If nothing is due, it returns the time of its next turn.
 */
final class PollLoop implements Clock.Pass {
    private final LoopParts parts;
    private final Clock clock;
    private final QueueDelivery delivery;
    private final ShardClaims shards;
    private final LoopState state;
    private final BackOff backOff;
    private final NextRead nextRead;

    /**
     * Whether a turn broke off and nothing has recovered from that since. It is set before the turn takes anything that
     * others ask of it, so that a request which is lost with the turn is made good by the next one.
     */
    private boolean brokeOff;

    PollLoop(LoopParts parts, QueueDelivery delivery, ShardClaims shards, LoopState state) {
        this.parts = parts;
        this.delivery = delivery;
        this.shards = shards;
        this.state = state;
        clock = parts.clock();
        backOff = state.backOff();
        nextRead = state.nextRead();
    }

    /** Runs one turn. Returns when the next one is. */
    @Override
    public Instant run() throws InterruptedException {
        LogContext context = LogContext.of(parts.queue().name());
        try {
            state.vitals().turnBegins(clock.now());
            boolean recovers = brokeOff || parts.permits().isDoubtful();
            brokeOff = true;
            state.nextTurn().begin();
            if (recovers) {
                nextRead.forget();
                delivery.recover();
            }
            Instant next = turn();
            brokeOff = false;
            return next;
        } catch (StoreException | OutOfMemoryError e) {
            nextRead.forget();
            backOff.storeFailed(e);
            return backOff.nextTurn(delivery.runUpkeep());
        } catch (RuntimeException | Error e) {
            nextRead.forget();
            throw e;
        } finally {
            state.vitals().turnEnds();
            state.end().turnEnded();
            context.close();
        }
    }

    private Instant turn() throws InterruptedException {
        Instant upkeep = delivery.runUpkeep();
        if (state.end().isClosing()) {
            return state.end().settleOpen();
        }
        if (backOff.isOn()) {
            return backOff.nextTurn(upkeep);
        }
        delivery.settle();
        try (Claim claim = shards.claim()) {
            if (claim.isEmpty()) {
                state.vitals().ownsNothing();
                return endIdleTurn(nextRead.readOnceShardsAreOwned());
            }
            Instant now = clock.now();
            Instant due = nextRead.find(claim, now); // remembered, or read from the store with the pause
            if (parts.pause().isPaused()) {
                return endIdleTurn(nextRead.readOnceResumed());
            }
            if (due.isAfter(now)) {
                return endIdleTurn(due);
            }
            if (!claim.isStillOurs()) {
                return abandonRead();
            }
            long began = clock.nanoTime();
            DueTimers read = delivery.plan().read(parts.store(), claim, now);
            if (!claim.isStillOurs()) {
                return abandonRead();
            }
            if (read == null) {
                return clock.now();
            }
            nextRead.hasRead(read, now, began);
            Sorted sorted = delivery.sort(read, claim);
            Delivered delivered = delivery.deliver(sorted, claim, backOff::endOutage);
            backOff.setEnd(delivered.backOffUntil());
            backOff.endOutage();
            nextRead.after(delivered, now, began);
            notifyPolled(read, Duration.ofNanos(clock.nanoTime() - began));
            if (!backOff.isSet()) {
                state.nextTurn().delivered();
            }
            return clock.now();
        }
    }

    /**
     * Abandons this turn's read. The process slept longer than its lease, or the store was slow: another node may own
     * the shards now.
     */
    private Instant abandonRead() {
        nextRead.forget();
        return clock.now();
    }

    private void notifyPolled(DueTimers read, Duration took) {
        String queue = parts.queue().name();
        parts.node().listeners().polled(new PolledBatch(queue, read.timers().size(), took));
    }

    /** Ends a turn that delivers nothing: writes all earlier outcomes, and returns when the next turn is. */
    private Instant endIdleTurn(Instant due) {
        delivery.settleAll();
        backOff.endOutage();
        boolean nothingInDelivery = !shards.hasUnsettled() && parts.inFlight().size() == 0;
        return state.nextTurn().at(due, delivery.runUpkeep(), nothingInDelivery);
    }

    /** Returns until when turns do nothing but ask the store for the next due time. A test clock leaves them out. */
    @Override
    public Instant idleUntil() {
        return state.nextTurn().idleUntil();
    }

    @Override
    public Set<String> queuesRead() {
        return Set.of(parts.queue().name());
    }

    @Override
    public Instant leftOut() {
        return state.nextTurn().leaveOut();
    }
}

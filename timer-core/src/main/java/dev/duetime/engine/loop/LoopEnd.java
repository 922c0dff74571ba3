package dev.duetime.engine.loop;

import dev.duetime.StoreException;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.internal.EndSteps;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a queue's loop: its open outcomes are written, and its shards are released. Usually the node does both
 * after loop and delivery have ended. If it no longer waits for them, the last turn, call of a publisher or run of a
 * handler does it. Until then the shards stay with the node: the next owner would repeat what is being delivered.
 * Thread-safe.
 */
final class LoopEnd {
    private static final Logger LOG = LoggerFactory.getLogger(LoopEnd.class);

    private final String queue;
    private final ShardOwner owner;
    private final QueueDelivery delivery;
    private final BooleanSupplier hasUnsettled;

    /** How often a thread has asked to finish since the last thread that did so. */
    private final AtomicInteger requests = new AtomicInteger();

    private volatile boolean closing;
    private volatile boolean notAwaited;
    private volatile boolean loopEnded;

    /**
     * Creates the end of a loop.
     *
     * @param hasUnsettled returns whether timers that were read are not settled; called by any thread
     */
    LoopEnd(String queue, ShardOwner owner, QueueDelivery delivery, BooleanSupplier hasUnsettled) {
        this.queue = queue;
        this.owner = owner;
        this.delivery = delivery;
        this.hasUnsettled = hasUnsettled;
    }

    /** Makes all turns after the running one do nothing. */
    void beginClose() {
        closing = true;
    }

    boolean isClosing() {
        return closing;
    }

    /**
     * Makes the running turn and the running calls write their outcomes themselves, because no thread waits for them
     * any longer.
     *
     * @param isLoopOver whether no turn runs
     */
    void noLongerAwaited(boolean isLoopOver) {
        if (isLoopOver) {
            loopEnded = true;
        }
        notAwaited = true;
    }

    /** Ends a turn. */
    void turnEnded() {
        if (notAwaited) {
            loopEnded = true;
            finishUnawaited();
        }
    }

    /** Ends a call beside the loop. Called by the thread of the call. */
    void callEnded() {
        if (notAwaited && loopEnded) {
            finishUnawaited();
        }
    }

    /**
     * Writes open outcomes, and releases the shards if nothing is left in delivery. While another thread does so, it
     * leaves its outcomes to that thread and returns.
     */
    void finishUnawaited() {
        if (requests.getAndIncrement() > 0) {
            return;
        }
        LogContext context = LogContext.of(queue);
        // Some stores fail if they are called with the interrupt that ended the call.
        boolean interrupted = Thread.interrupted();
        try {
            int taken = 1;
            while (taken > 0) {
                settleOpen();
                if (!hasUnsettled.getAsBoolean()) {
                    finish();
                }
                taken = requests.addAndGet(-taken);
            }
        } catch (RuntimeException | Error e) {
            requests.set(0);
            throw e;
        } finally {
            context.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Writes open outcomes and releases the shards, after the last turn. Returns whether the store accepted both. An
     * error while outcomes are written keeps no shard: the next owner repeats what is not settled.
     */
    boolean finish() {
        try {
            try {
                delivery.settleAll();
            } catch (StoreException e) {
                throw e; // It is away, and would not release the shards either.
            } catch (RuntimeException | Error e) {
                EndSteps.after(e, () -> owner.release(queue));
                throw e;
            }
            owner.release(queue);
            return true;
        } catch (StoreException e) {
            LOG.warn("shards of queue {} were not released and move when their lease ends: {}", queue, ErrorText.of(e));
            return false;
        }
    }

    /** Writes open outcomes if the store is available. Returns that no other turn is needed. */
    Instant settleOpen() {
        try {
            delivery.settleAll();
        } catch (StoreException e) {
            LOG.warn(
                    "outcomes of queue {} were not written; other nodes deliver these timers again: {}",
                    queue,
                    ErrorText.of(e));
        }
        return Instant.MAX;
    }
}

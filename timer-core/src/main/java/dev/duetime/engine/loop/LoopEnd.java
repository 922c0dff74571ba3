package dev.duetime.engine.loop;

import dev.duetime.StoreException;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.shards.ShardOwner;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a queue's loop: its open outcomes are written, and its shards are released. Thread-safe. */
final class LoopEnd {
    private static final Logger LOG = LoggerFactory.getLogger(LoopEnd.class);

    private final String queue;
    private final ShardOwner owner;
    private final QueueDelivery delivery;

    private volatile boolean closing;
    private volatile boolean finishing;

    LoopEnd(String queue, ShardOwner owner, QueueDelivery delivery) {
        this.queue = queue;
        this.owner = owner;
        this.delivery = delivery;
    }

    /** Makes all turns after the running one do nothing. */
    void beginClose() {
        closing = true;
    }

    boolean isClosing() {
        return closing;
    }

    /** Makes the running turn write its outcomes itself, because no thread waits for it any longer. */
    void finishAfterTurn() {
        finishing = true;
    }

    /** Ends a turn. */
    void turnEnded() {
        if (finishing) {
            finishing = false;
            finish();
        }
    }

    /** Writes open outcomes and releases the shards, after the last turn. Returns whether the store accepted both. */
    boolean finish() {
        try {
            delivery.settleAll();
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

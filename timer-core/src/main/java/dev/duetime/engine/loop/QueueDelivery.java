package dev.duetime.engine.loop;

import dev.duetime.StoreException;
import dev.duetime.engine.shards.Claim;
import dev.duetime.store.DueTimers;
import java.time.Instant;

/**
 * The part of a queue's turn that differs between queues: due timers go to a publisher or to workers. Used by the
 * loop's thread.
 */
public interface QueueDelivery {

    /** Returns the plan of the next read. */
    ReadPlan plan();

    /**
     * Writes the outcomes of earlier deliveries, except those that another thread is writing.
     *
     * @throws StoreException if the store failed; the outcomes stay open
     */
    void settle();

    /**
     * Writes all outcomes of earlier deliveries, and waits for those that another thread is writing for the loop.
     *
     * @throws StoreException if the store failed; the outcomes stay open
     */
    void settleAll();

    /**
     * Sorts the timers that were read, and writes nothing. A delivery may end the claim here, if it keeps the shards of
     * these timers in another way.
     */
    Sorted sort(DueTimers read, Claim claim);

    /**
     * Writes the settlements of the sorted timers, and delivers the open ones.
     *
     * @param storeAnswers called before a publisher is called, because the store has answered so far: an outage of the
     *     store is over even if the publisher hangs
     * @throws InterruptedException if the loop is being closed
     */
    Delivered deliver(Sorted sorted, Claim claim, Runnable storeAnswers) throws InterruptedException;

    /**
     * Derives anew which timers are in delivery and which permits are taken, from the calls and outcomes that there
     * are. Called before the next turn if a turn broke off, perhaps between two steps that belong together.
     */
    void recover();

    /**
     * Does work that is due independently of reads, such as interrupting runs that take too long. Returns when there is
     * such work again.
     */
    Instant runUpkeep();
}

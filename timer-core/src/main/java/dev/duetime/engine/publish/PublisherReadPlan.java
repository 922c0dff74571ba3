package dev.duetime.engine.publish;

import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.ReadPlan;
import dev.duetime.engine.loop.ReadWindow;
import dev.duetime.engine.publish.LookBehind.Look;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.SetAside;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.time.Instant;

/**
 * The plan of reads for a publisher: a batch, and more in an outage or in a backlog. Nothing is read while too many
 * delivered timers cannot be settled. Used by the loop's thread.
 */
final class PublisherReadPlan implements ReadPlan {
    /** The number of batches in one read of a backlog. */
    private static final int BACKLOG_DOUBLINGS = 3;

    /**
     * The number of batches in one read during an outage, because timers further back may get through. Expired timers
     * are ended as well, because that costs little. Bounds memory.
     */
    private static final int MOST_DOUBLINGS = 2;

    private final LoopParts parts;
    private final Settler settler;
    private final UnreadableRows unreadable;
    private final CrashAttempts crashAttempts;
    private final Outage outage;
    private final ReadWindow window = new ReadWindow(BACKLOG_DOUBLINGS);
    private final LookBehind lookBehind = new LookBehind();

    /** How many reads in a row had a greater part that was over. */
    private int mostlyOver;

    /** How many of the last read were just being cancelled: such a call may wait for its row for seconds. */
    private int refused;

    /** Whether the last read began with the oldest timer. */
    private boolean fromOldest;

    PublisherReadPlan(
            LoopParts parts, Settler settler, UnreadableRows unreadable, CrashAttempts crashAttempts, Outage outage) {
        this.parts = parts;
        this.settler = settler;
        this.unreadable = unreadable;
        this.crashAttempts = crashAttempts;
        this.outage = outage;
    }

    @Override
    public boolean hasRoom() {
        return !settler.aside().isFull();
    }

    @Override
    public void announce(Instant dueAt) {
        window.announced(dueAt);
    }

    @Override
    public boolean takeReadAgain() {
        return false;
    }

    @Override
    public boolean holdsTimers() {
        return false;
    }

    @Override
    public DueQuery prepare(Claim claim, Instant now) {
        crashAttempts.beginRead(claim.shards());
        Look behind = lookBehind.look();
        Instant from = behind != null
                ? behind.from()
                : window.from(claim.shards(), parts.clock().nanoTime());
        fromOldest = from.equals(Instant.MIN);
        if (fromOldest) {
            // Such a read would return all timers that are being settled.
            settler.flush();
        }
        QueueSettings queue = parts.queue();
        int wanted = Math.max(Math.min(Math.max(outage.failures(), mostlyOver), MOST_DOUBLINGS), window.doublings());
        SetAside aside = settler.aside();
        int staying = unreadable.staying() + aside.size() + refused;
        int limit = window.limit(queue.batchSize() << wanted) + roundedUp(staying);
        return new DueQuery(
                queue.name(),
                claim.shards(),
                from,
                behind == null ? now : Times.earlier(behind.to(), now),
                limit,
                behind == null ? DueQuery.Exclusion.NONE : behind.but(),
                window.bytes(),
                aside.generations());
    }

    /** Returns one of a few sizes, because a database makes a new plan for each size. */
    private static int roundedUp(int count) {
        return count <= 1 ? count : Integer.highestOneBit(2 * count - 1);
    }

    @Override
    public void failed() {
        window.failed();
    }

    boolean wasFromOldest() {
        return fromOldest;
    }

    /** Notes that the read succeeded. Unless {@link #settled} follows, the next one begins with the oldest timer. */
    void succeeded() {
        window.succeeded();
        window.left();
    }

    /** Notes how many of the timers that were read cannot be delivered now: they take no room from the others. */
    void refused(int count) {
        refused = count;
    }

    /** Notes whether most timers of the read have ended. */
    void isMostlyOver(boolean over) {
        mostlyOver = over ? mostlyOver + 1 : 0;
    }

    /** Notes that the whole read is settled or will be, and how long that took. */
    void settled(DueTimers read, long nanos) {
        window.done(read, nanos);
    }

    /**
     * Notes the result of a read. Returns until when to back off. There is no back-off before a look behind a read full
     * of poison.
     */
    Instant backOffUntil(DueTimers read, Instant wanted) {
        if (lookBehind.look() != null) {
            window.readAll();
        }
        return lookBehind.after(read, wanted);
    }
}

package dev.duetime.engine.publish;

import dev.duetime.engine.loop.Delivered;
import dev.duetime.engine.loop.Sorted;
import dev.duetime.engine.settle.SetAside;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** The decision when the loop reads again after a delivery. Used by the loop's thread. */
final class ReadAgain {
    /** How long the loop leaves alone timers that wait for a call to end. The end of a call makes it read again. */
    private static final Duration WHILE_CALLS_RUN = Duration.ofSeconds(1);

    /** Timers that stay due are skipped once, however long it takes until the store is asked. */
    private static final Duration UNTIL_ASKED = Duration.ofDays(1);

    private final Publishing publishing;
    private final PublisherReadPlan plan;
    private final UnreadableRows unreadable;
    private final SetAside aside;
    private final BooleanSupplier leavesUndecided;

    /**
     * Creates the decision.
     *
     * @param leavesUndecided returns whether timers wait until the next turn has counted what they have missed
     */
    ReadAgain(
            Publishing publishing,
            PublisherReadPlan plan,
            UnreadableRows unreadable,
            SetAside aside,
            BooleanSupplier leavesUndecided) {
        this.publishing = publishing;
        this.plan = plan;
        this.unreadable = unreadable;
        this.aside = aside;
        this.leavesUndecided = leavesUndecided;
    }

    /**
     * While calls run, timers that are due may have to wait for one of them to end. The loop reads on only if another
     * call may begin, and the next read finds other timers.
     *
     * @param hasBegun whether a timer of this turn was published, or is in a call
     */
    Delivered besideCalls(Sorted sorted, Instant backOffUntil, boolean hasBegun) {
        // A skipped occurrence may have moved its timer to another one that is due.
        boolean others = hasMore(sorted.read()) || !sorted.settlements().isEmpty() || leavesUndecided.getAsBoolean();
        publishing.calls().left(others || !sorted.open().isEmpty());
        boolean findsOthers = hasBegun || plan.leavesOutMore();
        if (plan.readsPart() && !findsOthers) {
            plan.readAfterRest();
        }
        return readsOn(others && findsOthers && plan.hasRoom(), backOffUntil);
    }

    /**
     * Some timers wait for permits. The loop reads on if others may begin: the next read leaves out the types and
     * tenants that wait. If more tenants wait than a read leaves out, the next read returns the same timers. Then the
     * loop rests first, and goes on with its search for other tenants.
     *
     * @param hasBegun whether a timer of this turn was published
     */
    Delivered whilePermitsAreMissing(Sorted sorted, Instant backOffUntil, boolean hasBegun, boolean isBlocked) {
        boolean others = hasMore(sorted.read()) && !isBlocked;
        boolean findsOthers = hasBegun || plan.leavesOutMore();
        if (others && !findsOthers) {
            plan.readAfterRest();
        }
        return readsOn(others && findsOthers, backOffUntil);
    }

    /** Timers wait until their parallel keys are known: the read that makes them known has its own time. */
    static Delivered onceKeysAreKnown(Instant backOffUntil) {
        return readsOn(false, backOffUntil);
    }

    private boolean hasMore(DueTimers read) {
        return read.more() || unreadable.hasLeft();
    }

    private static Delivered readsOn(boolean readsOn, Instant backOffUntil) {
        return new Delivered(backOffUntil, readsOn, readsOn ? Duration.ZERO : WHILE_CALLS_RUN);
    }

    /**
     * If several timers were due at once, others are due by now: reading them takes no longer than asking for the next
     * due time.
     */
    Delivered afterAll(DueTimers read, Instant backOffUntil) {
        boolean readsAtOnce = hasMore(read) || read.timers().size() > 1;
        boolean onlyStuck = !hasMore(read)
                && unreadable.staying() + aside.size() > 0
                && aside.others(read.timers()).isEmpty();
        return new Delivered(backOffUntil, readsAtOnce, onlyStuck ? UNTIL_ASKED : Duration.ZERO);
    }
}

package dev.duetime.testkit.simulation.run;

import dev.duetime.Beta;
import dev.duetime.testkit.simulation.Simulation;
import java.util.EnumSet;

/** The faults that a {@link Simulation} inflicts on its nodes. */
@Beta
public enum Fault {
    /** A process is killed, before or after any call to the store or in its publisher; it may come back. */
    CRASH,
    /** A process is closed in good order, also in mid-delivery; it may come back, and nodes join. */
    CLOSE,
    /** A call to the store fails before anything is done, once or for a while. */
    STORE_FAILURE,
    /** A call to the store is done, and its reply is lost. */
    LOST_REPLY,
    /**
     * A call to the store or the publisher is slow, often slower than a lease lasts. The other threads of its process
     * continue.
     */
    HANG,
    /** A process pauses, often longer than a lease, and continues where it was. */
    PAUSE,
    /** The wall clock of a node jumps, forward or back. */
    CLOCK_JUMP,
    /** The publisher refuses a batch, a part of it or certain envelopes, once or for a while. */
    PUBLISHER_FAILURE,
    /** The publisher accepts a batch, or a part of it, and throws all the same. */
    SILENT_SUCCESS,
    /**
     * Another transaction holds the row of a timer. A schedule or cancel of the timer waits and may fail, and its
     * outcome cannot be written. It also happens in the calm, where it must delay no other timer.
     */
    HELD_ROW,
    /**
     * Code of the user throws an {@link InterruptedException} or an {@link Error}, or leaves the interrupt flag set.
     */
    RUDE_CODE,
    /** The heap is full: calls to the store throw an {@link OutOfMemoryError} in a loop, once or for a while. */
    FULL_HEAP,
    /** A timer kills each process that delivers it, several times in a row. */
    DEADLY_TIMER,
    /** A stranger whose clock is wrong leaves leases that end far in the future. */
    FUTURE_LEASE,
    /** A hint to other nodes is lost, without an error. It also happens in the calm. */
    LOST_HINT,
    /**
     * The clock of the store is set forward or back, often by more than a lease. Nodes learn this within a minute.
     * While it is wrong, timers may be early or late by as much, and two nodes may own a shard. So it does not happen
     * unless it is {@linkplain Simulation.Builder#faults asked for}.
     */
    STORE_CLOCK,
    /**
     * The database refuses every change of a timer's row for a while, as with a trigger of the user's: schedules,
     * cancellations and outcomes. It also happens in the calm, where it must delay no other timer. It does not happen
     * unless it is {@linkplain Simulation.Builder#faults asked for}, so that older seeds give the same histories.
     */
    REFUSED_ROW,
    /**
     * The database cancels each read that leaves timers out and passes over more than a second of those that are due,
     * as with a {@code statement_timeout} and a long backlog. It also happens in the calm. It does not happen unless it
     * is {@linkplain Simulation.Builder#faults asked for}, so that older seeds give the same histories.
     */
    CANCELLED_READ;

    /** Returns the faults that happen by default: all that need not be asked for. */
    public static Fault[] usual() {
        return EnumSet.complementOf(EnumSet.of(STORE_CLOCK, REFUSED_ROW, CANCELLED_READ))
                .toArray(new Fault[0]);
    }
}

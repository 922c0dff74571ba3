package dev.duetime.engine.schedule;

import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.NewTimer;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call of schedule that may share its write with others. Created by its caller; then thread-safe. */
final class ScheduleCall {
    private final List<NewTimer> timers;
    private final long bytes;
    private final Thread caller = Thread.currentThread();

    /** The results of all timers of the write; empty if it failed before it returned them. */
    private volatile List<ScheduleResult> written = List.of();

    /** The place of the first of its timers in the write. Used by the thread that writes, and then by the caller. */
    private int from;

    private volatile State state = State.WAITING;

    private enum State {
        WAITING,
        TURN,
        OVER
    }

    ScheduleCall(List<NewTimer> timers) {
        this.timers = timers;
        long sum = 0;
        for (NewTimer each : timers) {
            sum += StoredTimers.bytes(each.content());
        }
        bytes = sum;
    }

    List<NewTimer> timers() {
        return timers;
    }

    /** Returns about how many bytes its timers have. */
    long bytes() {
        return bytes;
    }

    /** Returns the results of the timers; null if the shared write failed before it returned them. */
    @Nullable
    List<ScheduleResult> results() {
        List<ScheduleResult> all = written;
        int to = from + timers.size();
        return to <= all.size() ? all.subList(from, to) : null;
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean hasTurn() {
        return state == State.TURN;
    }

    /** Makes the caller write its timers. */
    void giveTurn() {
        wake(State.TURN);
    }

    /** Notes its place in a write. */
    void placeAt(int first) {
        from = first;
    }

    /**
     * Ends the wait of the caller, who looks for the results of its timers itself: nothing here takes memory.
     *
     * @param results those of all timers of the write; empty if it failed
     */
    void end(List<ScheduleResult> results) {
        written = results;
        wake(State.OVER);
    }

    private void wake(State reason) {
        state = reason;
        if (caller != Thread.currentThread()) {
            LockSupport.unpark(caller);
        }
    }

    /** Returns the error for a caller that no longer waits for a hanging write. */
    StoreException unanswered(boolean interrupted) {
        Object subject = timers.size() == 1 ? timers.get(0).key() : timers.size() + " timers";
        return new StoreException(
                "schedule",
                subject,
                interrupted
                        ? new InterruptedException("interrupted while a write shared with other calls did not end")
                        : new TimeoutException(
                                "a write shared with other calls did not end in " + GroupCommit.LONGEST));
    }
}

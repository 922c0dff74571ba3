package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.TimerContents;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rules for a schedule whose key may have a row already. No other place in Java knows them. Thread-safe. */
@Beta
public final class ScheduleDecision {

    private ScheduleDecision() {}

    /**
     * Returns the result of scheduling {@code timer} if {@code standing} is the row of its key, null if there is none.
     * {@code CREATED} and {@code RESCHEDULED} write the new timer; the others write nothing.
     */
    public static ScheduleResult of(NewTimer timer, @Nullable StoredTimer standing) {
        return of(timer, standing, standing != null && TimerContents.same(standing.content(), timer.content()));
    }

    /**
     * Returns the result of scheduling over a row that cannot be read: it cannot be known whether its content is the
     * same.
     */
    public static ScheduleResult overUnreadable(NewTimer timer, StoredTimer standing) {
        return of(timer, standing, false);
    }

    private static ScheduleResult of(NewTimer timer, @Nullable StoredTimer standing, boolean same) {
        if (standing == null) {
            return accepted(timer, ScheduleOutcome.CREATED);
        }
        if (standing.state() == TimerState.SCHEDULED) {
            boolean kept = same || standing.content().step() != null;
            return kept ? refused(ScheduleOutcome.UNCHANGED, standing) : accepted(timer, ScheduleOutcome.RESCHEDULED);
        }
        boolean again = standing.state() == TimerState.CANCELLED || timer.rearm();
        return again ? accepted(timer, ScheduleOutcome.CREATED) : refused(ScheduleOutcome.IGNORED, standing);
    }

    /** Returns whether the outcome writes the new timer. */
    public static boolean writes(ScheduleResult result) {
        return result.outcome() == ScheduleOutcome.CREATED || result.outcome() == ScheduleOutcome.RESCHEDULED;
    }

    /**
     * Returns the row that an accepted schedule writes over {@code standing}, null if there is none. If the recurrence
     * is the same, the stored occurrence stays: it may be overdue, and a repeat with other content must not lose it.
     */
    public static NewTimer written(NewTimer timer, @Nullable StoredTimer standing) {
        if (standing == null
                || standing.state() != TimerState.SCHEDULED
                || !TimerContents.recurAlike(standing.content(), timer.content())) {
            return timer;
        }
        return timer.withContent(TimerContents.at(timer.content(), standing.dueAt()));
    }

    /**
     * Returns the {@code previousAt} that an accepted schedule writes: that of a scheduled, recurring row if it recurs
     * too.
     */
    public static @Nullable Instant previousAt(NewTimer timer, @Nullable StoredTimer standing) {
        if (standing == null
                || standing.state() != TimerState.SCHEDULED
                || standing.content().recurrence() == null
                || timer.content().recurrence() == null) {
            return null;
        }
        return standing.previousAt();
    }

    private static ScheduleResult accepted(NewTimer timer, ScheduleOutcome outcome) {
        return new ScheduleResult(timer.key(), outcome, TimerState.SCHEDULED, timer.generation());
    }

    private static ScheduleResult refused(ScheduleOutcome outcome, StoredTimer standing) {
        return new ScheduleResult(standing.key(), outcome, standing.state(), standing.generation());
    }
}

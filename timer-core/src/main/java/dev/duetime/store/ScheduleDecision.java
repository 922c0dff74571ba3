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
     * Returns the result of scheduling {@code timer} if {@code stored} is the row of its key, null if there is none.
     * {@code CREATED} and {@code RESCHEDULED} write the new timer; the others write nothing.
     */
    public static ScheduleResult of(NewTimer timer, @Nullable StoredTimer stored) {
        return of(timer, stored, stored != null && TimerContents.same(stored.content(), timer.content()));
    }

    /**
     * Returns the result of scheduling over a row that cannot be read: it cannot be known whether its content is the
     * same.
     */
    public static ScheduleResult overUnreadable(NewTimer timer, StoredTimer stored) {
        return of(timer, stored, false);
    }

    private static ScheduleResult of(NewTimer timer, @Nullable StoredTimer stored, boolean same) {
        if (stored == null) {
            return accepted(timer, ScheduleOutcome.CREATED);
        }
        if (stored.state() == TimerState.SCHEDULED) {
            boolean kept = same || stored.content().step() != null;
            return kept ? refused(ScheduleOutcome.UNCHANGED, stored) : accepted(timer, ScheduleOutcome.RESCHEDULED);
        }
        boolean again = stored.state() == TimerState.CANCELLED || timer.rearm();
        return again ? accepted(timer, ScheduleOutcome.CREATED) : refused(ScheduleOutcome.IGNORED, stored);
    }

    /** Returns whether the outcome writes the new timer. */
    public static boolean writes(ScheduleResult result) {
        return result.outcome() == ScheduleOutcome.CREATED || result.outcome() == ScheduleOutcome.RESCHEDULED;
    }

    /**
     * Returns the row that an accepted schedule writes over {@code stored}, null if there is none. If the recurrence
     * is the same, the stored occurrence stays: it may be overdue, and a repeat with other content must not lose it.
     */
    public static NewTimer written(NewTimer timer, @Nullable StoredTimer stored) {
        if (stored == null
                || stored.state() != TimerState.SCHEDULED
                || !TimerContents.recurAlike(stored.content(), timer.content())) {
            return timer;
        }
        return timer.withContent(TimerContents.at(timer.content(), stored.dueAt()));
    }

    /**
     * Returns the {@code previousAt} that an accepted schedule writes: that of a scheduled, recurring row if it recurs
     * too.
     */
    public static @Nullable Instant previousAt(NewTimer timer, @Nullable StoredTimer stored) {
        if (stored == null
                || stored.state() != TimerState.SCHEDULED
                || stored.content().recurrence() == null
                || timer.content().recurrence() == null) {
            return null;
        }
        return stored.previousAt();
    }

    private static ScheduleResult accepted(NewTimer timer, ScheduleOutcome outcome) {
        return new ScheduleResult(timer.key(), outcome, TimerState.SCHEDULED, timer.generation());
    }

    private static ScheduleResult refused(ScheduleOutcome outcome, StoredTimer stored) {
        return new ScheduleResult(stored.key(), outcome, stored.state(), stored.generation());
    }
}

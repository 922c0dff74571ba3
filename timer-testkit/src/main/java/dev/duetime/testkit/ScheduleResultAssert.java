package dev.duetime.testkit;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import org.assertj.core.api.AbstractAssert;

/** Assertions on the result of {@code schedule}. Not thread-safe. */
public final class ScheduleResultAssert extends AbstractAssert<ScheduleResultAssert, ScheduleResult> {

    ScheduleResultAssert(ScheduleResult result) {
        super(result, ScheduleResultAssert.class);
    }

    /** Verifies which timer it was done with; the id is of the default tenant. */
    public ScheduleResultAssert hasKey(String timerId) {
        return hasKey(TimerKey.of(timerId));
    }

    /** Verifies which timer it was done with. */
    public ScheduleResultAssert hasKey(TimerKey key) {
        isNotNull();
        if (!actual.key().equals(key)) {
            failWithMessage("Expected the result to be of timer <%s> but was of <%s>", key, actual.key());
        }
        return this;
    }

    /** Verifies that the timer was new. */
    public ScheduleResultAssert isCreated() {
        return hasOutcome(ScheduleOutcome.CREATED);
    }

    /** Verifies that the timer was moved or changed. */
    public ScheduleResultAssert isRescheduled() {
        return hasOutcome(ScheduleOutcome.RESCHEDULED);
    }

    /** Verifies that the call repeated the stored schedule. */
    public ScheduleResultAssert isUnchanged() {
        return hasOutcome(ScheduleOutcome.UNCHANGED);
    }

    /** Verifies that the timer had ended, and how. */
    public ScheduleResultAssert isIgnored(TimerState state) {
        return hasOutcome(ScheduleOutcome.IGNORED).hasState(state);
    }

    /** Verifies what was done. */
    public ScheduleResultAssert hasOutcome(ScheduleOutcome outcome) {
        isNotNull();
        if (actual.outcome() != outcome) {
            failWithMessage(
                    "Expected scheduling %s to be <%s> but was <%s>, state %s",
                    actual.key(), outcome, actual.outcome(), actual.state());
        }
        return this;
    }

    /** Verifies the state in which the timer was left. */
    public ScheduleResultAssert hasState(TimerState state) {
        isNotNull();
        if (actual.state() != state) {
            failWithMessage("Expected timer %s to be <%s> but was <%s>", actual.key(), state, actual.state());
        }
        return this;
    }
}

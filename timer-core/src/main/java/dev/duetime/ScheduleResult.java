package dev.duetime;

/**
 * The result of {@code schedule} for one timer. Immutable and thread-safe.
 *
 * @param key the timer
 * @param outcome what was done
 * @param state the state in which the call left the timer: {@link TimerState#SCHEDULED}, or the terminal state because
 *     of which the call was {@link ScheduleOutcome#IGNORED}
 * @param generation the current generation; never reused, also not after the timer was deleted and created again
 */
public record ScheduleResult(TimerKey key, ScheduleOutcome outcome, TimerState state, long generation) {

    /** Returns the id that each delivery of this generation carries, to trace a schedule to its event. */
    public String envelopeId() {
        return key.envelopeId(generation);
    }
}

package dev.duetime;

/** The effect that an accepted call of {@code schedule} had on its key. */
public enum ScheduleOutcome {
    /** The timer is new. Its key was free, or cancelled, or ended and re-armed. */
    CREATED,
    /** The timer was scheduled and is now scheduled with other content or another due time, as a new generation. */
    RESCHEDULED,
    /** The timer was scheduled with the same due time and content already; nothing was written. */
    UNCHANGED,
    /** The timer had ended already; nothing was written. The result names the state. */
    IGNORED,
    /** It was merged into the timer that the result names, which waits under the same correlation key. */
    MERGED,
    /** It was dropped in favour of the timer that the result names, which waits under the same correlation key. */
    DROPPED
}

package dev.duetime.recurrence;

/** A rule for the times of a {@link Recurrence} that were missed because no node was running. */
public enum CatchUp {
    /** Every missed time comes, in order. If there are more than 1,000, the most recent 1,000 come. */
    ALL,
    /**
     * Only the last missed time comes, and its event names the one that was delivered before. The default. It also
     * replaces an earlier time that failed and still waits for its retry. If the next time becomes due meanwhile, both
     * come.
     */
    LATEST,
    /**
     * No missed time comes; the next one is in the future. A time is missed if it is later than a minute, or than its
     * period if that is shorter, and has not been tried.
     */
    NONE
}

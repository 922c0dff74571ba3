package dev.duetime.recurrence;

/** Says what becomes of the times of a {@link Recurrence} that nobody was there for. */
public enum CatchUp {
    /** Every missed time comes, in order; of more than 1,000 the most recent 1,000. */
    ALL,
    /**
     * The last missed time comes, and tells of the one before it that was delivered. The default. It also takes the place of
     * one that failed and still waits for its retry.
     */
    LATEST,
    /**
     * No missed time comes: the next one is in the future. Missed is what is later than a minute, or than its period if that
     * is shorter, and has not been tried.
     */
    NONE
}

package dev.duetime;

/** Says what becomes of the times of a {@link Recurrence} that nobody was there for. */
public enum CatchUp {
    /** Every missed time comes, in order. */
    ALL,
    /** The last missed time comes, and tells of the one before it that was delivered. The default. */
    LATEST,
    /** No missed time comes: the next one is in the future. */
    NONE
}

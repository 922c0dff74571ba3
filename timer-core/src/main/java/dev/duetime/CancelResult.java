package dev.duetime;

/** The result of a call of {@code cancel}. */
public enum CancelResult {
    /**
     * The timer was scheduled and will not be delivered. A delivery that was in flight on another node can still
     * arrive. A recurring timer has no further occurrence; one that is in delivery, also on this node, can still
     * arrive.
     */
    CANCELLED,
    /** The timer had already ended, or is in delivery on this node. Nothing was changed. */
    TOO_LATE,
    /** There is no such timer. */
    NOT_FOUND
}

package dev.duetime;

/** The result of a call of {@code cancel}. */
public enum CancelResult {
    /**
     * The timer was scheduled and will not be delivered; a delivery that was in flight on another node at that moment
     * can still arrive. If it recurs, no occurrence follows; one that is in delivery, also on this node, can still
     * arrive.
     */
    CANCELLED,
    /** The timer had ended already, or is in delivery on this node; nothing was changed. */
    TOO_LATE,
    /** There is no such timer. */
    NOT_FOUND
}

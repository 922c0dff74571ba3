package dev.duetime.jdbc.internal.tx;

/** The ways in which another transaction can be in the way of a statement. */
public enum Collision {
    /** It was not. */
    NONE,
    /** It inserted a row with the same key just before. */
    TAKEN_KEY,
    /** It held a lock or wrote a row, and the database made this one give way. */
    GAVE_WAY,
    /** It holds a lock for longer than this statement may wait. */
    LOCKED
}

package dev.duetime.jdbc.internal.tx;

/** The ways in which a statement can collide with another transaction. */
public enum Collision {
    /** There was no collision. */
    NONE,
    /** The other transaction has just inserted a row with the same key. */
    TAKEN_KEY,
    /** The other transaction held a lock or wrote a row, and the database rolled this one back. */
    GAVE_WAY,
    /** The other transaction holds a lock for longer than this statement may wait. */
    LOCKED
}

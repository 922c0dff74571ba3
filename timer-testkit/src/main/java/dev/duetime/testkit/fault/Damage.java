package dev.duetime.testkit.fault;

import dev.duetime.Beta;

/** The damage of a row that the store did not write, or that others have changed. */
@Beta
public enum Damage {
    /** The headers are no JSON, or the content cannot be decoded for another reason. All other columns are valid. */
    UNREADABLE_CONTENT,
    /** The state is {@code LOST}. All other columns are those of a scheduled timer. */
    UNKNOWN_STATE,
    /** The timer has ended, but {@code wakeAt} is its due time again. */
    AWAKE_THOUGH_ENDED,
    /** The timer's id has got a line feed (U+000A) at its end. */
    INVALID_KEY
}

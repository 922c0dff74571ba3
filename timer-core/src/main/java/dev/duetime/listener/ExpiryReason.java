package dev.duetime.listener;

import dev.duetime.TimerState;

/** The reason why a timer ended as {@link TimerState#EXPIRED}. */
public enum ExpiryReason {
    /** Its deadline passed before it was delivered. */
    DELIVERY_TOO_LATE,
    /** Its delivery failed, and the retry would come after its deadline. */
    RETRY_TOO_LATE
}

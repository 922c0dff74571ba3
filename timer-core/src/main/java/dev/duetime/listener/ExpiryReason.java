package dev.duetime.listener;

import dev.duetime.TimerState;

/** Tells why a timer ended as {@link TimerState#EXPIRED}. */
public enum ExpiryReason {
    /** It was due, and its turn came after its deadline. */
    DELIVERY_TOO_LATE,
    /** Its delivery failed, and the retry would have come after its deadline. */
    RETRY_TOO_LATE
}

package dev.duetime;

/** The state of a timer. All states but {@link #SCHEDULED} are terminal. */
public enum TimerState {
    /** Waits for its due time, is in delivery, or waits for a retry. */
    SCHEDULED,
    /** Was delivered, and the delivery was settled. */
    REACHED,
    /** Its deadline passed before it could be delivered. */
    EXPIRED,
    /** It can neither be delivered nor expire. It is kept with its error until an operator handles it. */
    DEAD,
    /** Was cancelled before it was delivered. */
    CANCELLED;

    /** Returns whether the timer has ended and is delivered no more. */
    public boolean isTerminal() {
        return this != SCHEDULED;
    }
}

package dev.duetime.jdbc.internal.write;

/**
 * Carries out of a transaction, past its repeats, that another one held a row for too long, or that a row was refused.
 */
public final class NotWritten extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public final boolean locked;
    public final transient Exception reason;

    public NotWritten(boolean locked, Exception reason) {
        super(reason.getClass().getName(), null, false, false);
        this.locked = locked;
        this.reason = reason;
    }
}

package dev.duetime.jdbc.internal.write;

/**
 * A signal that leaves a transaction without being retried: another transaction held a row for too long, or the
 * database refused a row.
 */
public final class NotWritten extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public final boolean locked;
    public final transient Exception reason;

    public NotWritten(boolean locked, Exception reason) {
        super(reason.getClass().getName(), null, true, false);
        this.locked = locked;
        this.reason = reason;
    }
}

package dev.duetime.jdbc;

/**
 * Carries out of a transaction, past its repeats, that another one held a row for too long, or that a row was refused.
 */
final class NotWritten extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final boolean locked;
    final transient Exception reason;

    NotWritten(boolean locked, Exception reason) {
        super(reason.getClass().getName(), null, false, false);
        this.locked = locked;
        this.reason = reason;
    }
}

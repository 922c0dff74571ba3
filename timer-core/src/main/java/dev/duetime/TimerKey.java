package dev.duetime;

/**
 * Names a timer; chosen by the user, it is the idempotency key of {@code schedule}.
 *
 * <p>Two keys are the same iff both parts are equal character by character: case, accents and trailing spaces count, on
 * every database. Immutable and thread-safe.
 *
 * @param tenantId whose timer it is, 1 to 255 characters without control characters
 * @param timerId which timer of that tenant, 1 to 255 characters without control characters
 */
public record TimerKey(String tenantId, String timerId) implements Comparable<TimerKey> {

    /** The tenant of programs that know only one. */
    public static final String DEFAULT_TENANT = "default";

    /**
     * Checks both parts.
     *
     * @throws IllegalArgumentException if a part is null, empty, longer than 255 characters, or contains a control
     *     character or an unpaired surrogate
     */
    public TimerKey {
        Limits.text("tenantId", tenantId, Limits.KEY_LENGTH);
        Limits.text("timerId", timerId, Limits.KEY_LENGTH);
    }

    /**
     * Returns the key of a tenant's timer.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static TimerKey of(String tenantId, String timerId) {
        return new TimerKey(tenantId, timerId);
    }

    /**
     * Returns the key of a timer of the {@link #DEFAULT_TENANT}.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static TimerKey of(String timerId) {
        return new TimerKey(DEFAULT_TENANT, timerId);
    }

    /** Orders by tenant, then by timer: the order in which batches lock rows. */
    @Override
    public int compareTo(TimerKey other) {
        int byTenant = tenantId.compareTo(other.tenantId);
        return byTenant != 0 ? byTenant : timerId.compareTo(other.timerId);
    }

    /** Returns {@code tenantId/timerId}, for people. */
    @Override
    public String toString() {
        return tenantId + "/" + timerId;
    }
}

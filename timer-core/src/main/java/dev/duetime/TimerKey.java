package dev.duetime;

import dev.duetime.internal.CodePointOrder;
import dev.duetime.internal.EnvelopeId;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Printable;

/**
 * The name of a timer or a todo. The user chooses it. It is the idempotency key of {@code schedule}.
 *
 * <p>A timer is identified by its tenant and its id, on every queue. A todo is identified by its tenant, its queue and
 * its id. So its key is never equal to that of a timer, or of a todo on another queue. {@link
 * dev.duetime.todo.TodoQueue#key} returns its key.
 *
 * <p>Two keys are the same if all parts are equal character by character: case, accents and trailing spaces count, on
 * every database. Immutable and thread-safe.
 *
 * @param tenantId whose timer it is, 1 to 255 characters without control characters
 * @param timerId which timer or todo of that tenant, 1 to 255 characters without control characters
 * @param scope the empty text for a timer; for a todo its queue, 1 to 64 characters without control characters
 */
public record TimerKey(String tenantId, String timerId, String scope) implements Comparable<TimerKey> {

    /** The tenant of programs that have only one. */
    public static final String DEFAULT_TENANT = "default";

    private static final String OF_TIMERS = "";

    /**
     * Checks all parts.
     *
     * @throws IllegalArgumentException if a part is null or too long, contains a control character or an unpaired
     *     surrogate, or is empty and not the scope
     */
    public TimerKey {
        Limits.text("tenantId", tenantId, Limits.KEY_LENGTH);
        Limits.text("timerId", timerId, Limits.KEY_LENGTH);
        if (!OF_TIMERS.equals(scope)) {
            Limits.text("scope", scope, Limits.QUEUE_LENGTH);
        }
    }

    /**
     * Creates the key of a timer.
     *
     * @throws IllegalArgumentException if a part is null, empty, longer than 255 characters, or contains a control
     *     character or an unpaired surrogate
     */
    public TimerKey(String tenantId, String timerId) {
        this(tenantId, timerId, OF_TIMERS);
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

    /**
     * Returns the key of a todo.
     *
     * @param queue the queue that it is enqueued on, 1 to 64 characters without control characters
     * @throws IllegalArgumentException as the constructor; also if {@code queue} is empty
     */
    public static TimerKey ofTodo(String tenantId, String queue, String todoId) {
        return new TimerKey(tenantId, todoId, Limits.text("queue", queue, Limits.QUEUE_LENGTH));
    }

    /** Returns whether it is the key of a todo. */
    public boolean isOfTodo() {
        return !scope.equals(OF_TIMERS);
    }

    /** Returns the id of all deliveries of one generation. */
    String envelopeId(long generation) {
        return EnvelopeId.of(tenantId, timerId, scope, generation);
    }

    /**
     * Orders by tenant, then by id, then by scope, each by code points: the order of queries, and the one in which
     * batches lock rows.
     */
    @Override
    public int compareTo(TimerKey other) {
        int byTenant = CodePointOrder.compare(tenantId, other.tenantId);
        int byId = byTenant != 0 ? byTenant : CodePointOrder.compare(timerId, other.timerId);
        return byId != 0 ? byId : CodePointOrder.compare(scope, other.scope);
    }

    /** Returns {@code tenantId/timerId}, fit for a log; that of a todo ends with {@code @queue}. */
    @Override
    public String toString() {
        return Printable.line(tenantId + "/" + timerId + (isOfTodo() ? "@" + scope : ""));
    }
}

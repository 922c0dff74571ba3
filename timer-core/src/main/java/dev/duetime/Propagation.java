package dev.duetime;

import dev.duetime.internal.TraceHeaders;
import java.util.Map;

/**
 * The user's code that adds the caller's context to the headers of scheduled timers, so that the context travels
 * through the database to the envelope. With OpenTelemetry:
 *
 * <pre>{@code
 * Scheduler.builder().propagation(headers ->
 *         W3CTraceContextPropagator.getInstance().inject(Context.current(), headers, Map::put))
 * }</pre>
 *
 * <p>Called once for each call of {@code schedule} or {@code scheduleAll}, in the caller's thread. Headers that are
 * set on the timer win. A repeat of a schedule is still a repeat if only headers of W3C's trace context differ
 * ({@link TraceHeaders}); any other header makes it a new schedule. If the code throws or adds an illegal header,
 * timers are scheduled without these headers, and this is logged once. Must be thread-safe.
 */
@FunctionalInterface
public interface Propagation {
    /** Adds nothing. */
    Propagation NONE = headers -> {};

    /** Puts the context of the calling thread into the given map, which is empty and may be changed. */
    void inject(Map<String, String> headers);
}

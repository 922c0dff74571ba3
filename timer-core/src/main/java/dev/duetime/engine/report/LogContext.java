package dev.duetime.engine.report;

import dev.duetime.Envelope;
import dev.duetime.TimerKey;
import dev.duetime.internal.Printable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The names of the queue, and of the timer if it is one alone, in the MDC of a working thread. Closing it restores the
 * former names. Used by one thread.
 */
public final class LogContext {
    private static final String QUEUE = "duetime.queue";
    private static final String TENANT_ID = "duetime.tenantId";
    private static final String TIMER_ID = "duetime.timerId";
    private static final String CORRELATION_ID = "duetime.correlationId";

    private final Map<String, @Nullable String> before = new HashMap<>();

    private LogContext() {}

    public static LogContext of(String queue) {
        LogContext context = new LogContext();
        context.put(QUEUE, queue);
        return context;
    }

    public static LogContext of(TimerKey key, String queue, @Nullable String correlationId) {
        LogContext context = of(queue);
        context.put(TENANT_ID, key.tenantId());
        context.put(TIMER_ID, key.timerId());
        context.put(CORRELATION_ID, correlationId);
        return context;
    }

    public static LogContext of(Envelope envelope) {
        return of(envelope.key(), envelope.queue(), envelope.correlationId());
    }

    private void put(String name, @Nullable String value) {
        before.put(name, MDC.get(name));
        set(name, value == null ? null : Printable.line(value));
    }

    private static void set(String name, @Nullable String value) {
        if (value == null) {
            MDC.remove(name);
        } else {
            MDC.put(name, value);
        }
    }

    public void close() {
        before.forEach(LogContext::set);
    }
}

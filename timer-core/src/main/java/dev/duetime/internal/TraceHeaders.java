package dev.duetime.internal;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The headers of W3C's trace context: {@code traceparent}, {@code tracestate} and {@code baggage}, in any case. They
 * name the caller of a schedule and are no part of its content. Each call has other ones, also a repeat of the stored
 * schedule. So they are stored and delivered, but not compared. A repeat leaves the stored ones unchanged. Thread-safe.
 */
public final class TraceHeaders {
    private static final Set<String> NAMES = Set.of("traceparent", "tracestate", "baggage");

    private TraceHeaders() {}

    /** Returns whether a header of this name is left out of the comparison. */
    public static boolean isOne(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Returns those of the headers that are trace context. */
    public static Map<String, String> of(Map<String, String> headers) {
        return part(headers, true);
    }

    /** Returns those of the headers that are not trace context. */
    public static Map<String, String> without(Map<String, String> headers) {
        return part(headers, false);
    }

    private static Map<String, String> part(Map<String, String> headers, boolean trace) {
        return headers.entrySet().stream()
                .filter(each -> isOne(each.getKey()) == trace)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}

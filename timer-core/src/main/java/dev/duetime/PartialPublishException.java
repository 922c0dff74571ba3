package dev.duetime;

import dev.duetime.internal.Limits;
import java.util.HashMap;
import java.util.Map;

/**
 * The exception of a {@link Publisher} that knows which envelopes of a batch failed. All others count as delivered. An
 * envelope that is named spends an attempt, even if nothing else gets through, and even if all of a batch are named. So
 * a publisher whose broker is away must throw another exception.
 */
public final class PartialPublishException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, Throwable> failures;

    /**
     * Creates the exception.
     *
     * @param failures the error of each failed envelope, by {@link Envelope#id()}
     * @throws IllegalArgumentException if {@code failures} is null or empty, or holds null
     */
    public PartialPublishException(Map<String, ? extends Throwable> failures) {
        super(Limits.given("failures", failures).size() + " envelopes of the batch failed", first(failures));
        this.failures = new HashMap<>(failures);
    }

    private static Throwable first(Map<String, ? extends Throwable> failures) {
        if (failures.entrySet().stream().anyMatch(each -> each.getKey() == null || each.getValue() == null)) {
            throw new IllegalArgumentException("failures must not hold null");
        }
        return failures.values().stream()
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("failures must name at least one envelope but was empty"));
    }

    /** Returns the errors by envelope id. */
    public Map<String, Throwable> failures() {
        return Map.copyOf(failures);
    }
}

package dev.duetime.testkit.simulation;

import dev.duetime.TimerKey;
import org.jspecify.annotations.Nullable;

/** Says that an invariant does not hold. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The timer concerned, if it is one. */
    final transient @Nullable TimerKey key;

    /** The event that must not have happened; null for the end of the run. */
    transient @Nullable Event event;

    Violation(@Nullable TimerKey key, String message) {
        super(message);
        this.key = key;
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be a dependency.
    Violation(@Nullable TimerKey key, String format, @Nullable Object... args) {
        this(key, format.formatted(args));
    }
}

package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import dev.duetime.testkit.simulation.run.Event;
import org.jspecify.annotations.Nullable;

/** A violation of an invariant. */
@Beta
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The timer concerned, if it is one. */
    final transient @Nullable TimerKey key;

    /** The event that must not have happened; null for the end of the run. */
    transient @Nullable Event event;

    public Violation(@Nullable TimerKey key, String message) {
        super(message);
        this.key = key;
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be a dependency.
    public Violation(@Nullable TimerKey key, String format, @Nullable Object... args) {
        this(key, format.formatted(args));
    }
}

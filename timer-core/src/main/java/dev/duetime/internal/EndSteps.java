package dev.duetime.internal;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a close, or of another end, such as the undo of a start. Each step is done, whatever an earlier one
 * throws, an {@link Error} too. The first {@link Throwable} is thrown at the end; the others are suppressed in it.
 *
 * <p>Nothing here takes memory unless a step fails: the list of steps is made before the end begins.
 */
public final class EndSteps {
    private EndSteps() {}

    /** Does all steps, in this order. */
    public static void all(List<Runnable> steps) {
        each(steps, Runnable::run);
    }

    /** Does a step for each element, in this order. */
    @SuppressWarnings("ForLoopReplaceableByForEach") // An iterator would take memory.
    public static <T> void each(List<T> all, Consumer<? super T> step) {
        Throwable first = null;
        for (int i = 0; i < all.size(); i++) {
            try {
                step.accept(all.get(i));
            } catch (Throwable e) {
                first = first(first, e);
            }
        }
        if (first != null) {
            throw Errors.unchecked(first);
        }
    }

    /** Does a step after a failure, which the caller throws again. */
    public static void after(Throwable failure, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            first(failure, e);
        }
    }

    private static Throwable first(@Nullable Throwable first, Throwable next) {
        if (first == null) {
            return next;
        }
        try {
            if (first != next) {
                first.addSuppressed(next);
            }
        } catch (Throwable e) {
            // No memory is left to note it.
        }
        return first;
    }
}

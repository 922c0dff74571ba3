package dev.duetime.internal.inside;

import dev.duetime.StoreException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first failure of work on several hosts. If a host is away, the work is done on the other hosts all the same. Used
 * by one thread.
 */
public final class FirstFailure {
    private @Nullable StoreException first;

    /** Returns the result of work on one host, or another value if its store failed. */
    public <T> T attempt(Supplier<T> work, T otherwise) {
        try {
            return work.get();
        } catch (StoreException e) {
            first = first == null ? e : first;
            return otherwise;
        }
    }

    /**
     * Ends the work.
     *
     * @throws StoreException the first failure, if there was one
     */
    public void rethrow() {
        if (first != null) {
            throw first;
        }
    }
}

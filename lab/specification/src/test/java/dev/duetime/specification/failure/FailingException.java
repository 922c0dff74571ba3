package dev.duetime.specification.failure;

import dev.duetime.StoreException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An exception of the user's that throws an error, or returns null, when one of its methods is called. */
final class FailingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String where;

    private FailingException(String where) {
        this.where = where;
    }

    /** Returns one for each method that the engine may call. */
    static Stream<Throwable> all() {
        return Stream.of(
                new FailingException("toString"),
                new FailingException("getCause"),
                new FailingException("getMessage"),
                new FailingException("trace"),
                new FailingException("no trace"),
                new FailingException("empty trace"),
                new OfStore());
    }

    private void failIn(String method) {
        // The constructor of the superclass calls this before the field is set.
        if (method.equals(where)) {
            throw new AssertionError("not to be called");
        }
    }

    @Override
    public String toString() {
        failIn("toString");
        return super.toString();
    }

    @Override
    public @Nullable String getMessage() {
        failIn("getMessage");
        return "words";
    }

    @Override
    public synchronized @Nullable Throwable getCause() {
        failIn("getCause");
        return null;
    }

    @Override
    @SuppressWarnings("NullAway") // Users' exceptions are not checked for null.
    public StackTraceElement[] getStackTrace() {
        failIn("trace");
        return "no trace".equals(where)
                ? null
                : "empty trace".equals(where) ? new StackTraceElement[1] : super.getStackTrace();
    }

    /** An exception that says of itself that it is the store's. */
    private static final class OfStore extends StoreException {
        private static final long serialVersionUID = 1L;

        OfStore() {
            super("do", "it", new IllegalStateException("words"));
        }

        @Override
        public String getMessage() {
            throw new AssertionError("not to be called");
        }
    }
}

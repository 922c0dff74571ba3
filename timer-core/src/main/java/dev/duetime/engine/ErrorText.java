package dev.duetime.engine;

import dev.duetime.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells of an error what may be logged: of a store's all, since it carries no values; of any other, thrown by code of the
 * user's that has seen payloads, the classes and places but no message.
 */
final class ErrorText {
    /** More causes than anybody reads; also ends a circle of them. */
    private static final int CAUSES = 10;

    private ErrorText() {}

    /** Returns what a store says, or the classes of any other error and its causes. */
    static String of(Throwable error) {
        if (error instanceof StoreException) {
            return String.valueOf(error.getMessage());
        }
        List<String> classes = new ArrayList<>();
        for (Throwable each = error; each != null && classes.size() < CAUSES; each = each.getCause()) {
            classes.add(each.getClass().getName());
        }
        return String.join(", caused by ", classes);
    }

    /** Returns an exception to log instead: the same stack traces, and of messages those of a store. */
    static Throwable traceOf(Throwable error) {
        return error instanceof StoreException ? error : new WithoutMessages(error, 1);
    }

    private static final class WithoutMessages extends Exception {
        private static final long serialVersionUID = 1L;

        WithoutMessages(Throwable error, int depth) {
            super(error.getClass().getName(), causeOf(error, depth), false, true);
            setStackTrace(error.getStackTrace());
        }

        private static @Nullable Throwable causeOf(Throwable error, int depth) {
            Throwable cause = error.getCause();
            return cause == null || depth == CAUSES ? null : new WithoutMessages(cause, depth + 1);
        }
    }
}

package dev.duetime.engine;

import dev.duetime.StoreException;
import dev.duetime.internal.Printable;
import dev.duetime.internal.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * Renders errors for the log: of a store's the message, which carries no stored values and tells the whole chain of causes; of
 * any other, thrown by code of the user's that has seen payloads, the classes and places but no message.
 */
final class ErrorText {
    /** More causes than anybody reads; also ends a circle of them. */
    private static final int CAUSES = 10;

    private ErrorText() {}

    /** Returns what a store says, or the classes of any other error and its causes. */
    static String of(Throwable error) {
        if (error instanceof StoreException) {
            return Printable.withoutSecrets(error.getMessage());
        }
        List<String> classes = new ArrayList<>();
        for (Throwable each = error; each != null && classes.size() < CAUSES; each = each.getCause()) {
            classes.add(each.getClass().getName());
        }
        return String.join(", caused by ", classes);
    }

    /** Returns an exception to log instead: the same stack traces, and of messages that of a store. */
    static Throwable traceOf(Throwable error) {
        return error instanceof StoreException ? Trace.of(error, error.getMessage()) : Trace.of(error);
    }
}

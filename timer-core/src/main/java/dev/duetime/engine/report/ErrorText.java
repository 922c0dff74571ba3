package dev.duetime.engine.report;

import dev.duetime.StoreException;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Printable;
import dev.duetime.internal.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of an exception in the log. The message of a store's exception contains no stored values, and names all
 * causes. Other exceptions come from the user's code, which has seen payloads: the log shows their classes and places
 * but no messages.
 */
public final class ErrorText {
    /** The largest number of causes that are shown. It also ends a cycle of causes. */
    private static final int CAUSES = 10;

    private ErrorText() {}

    /**
     * Returns the message of a store's exception. For any other error, and if it has none, returns its class, the
     * classes of its causes, and the place where it was thrown.
     */
    public static String of(Throwable error) {
        String message = error instanceof StoreException ? Errors.message(error) : null;
        if (message != null) {
            return Printable.withoutSecrets(message);
        }
        List<String> classes = new ArrayList<>();
        for (Throwable each = error; each != null && classes.size() < CAUSES; each = Errors.cause(each)) {
            classes.add(each.getClass().getName() + place(each, classes.isEmpty()));
        }
        return String.join(", caused by ", classes);
    }

    /** Returns the place where an error was thrown: in code that does not belong to the platform, if there is any. */
    private static String place(Throwable error, boolean wanted) {
        StackTraceElement[] trace = Errors.trace(error);
        if (!wanted || trace.length == 0) {
            return "";
        }
        for (StackTraceElement each : trace) {
            if (!isPlatform(each.getClassName())) {
                return " at " + each;
            }
        }
        return " at " + trace[0];
    }

    private static boolean isPlatform(String className) {
        return className.startsWith("java.") || className.startsWith("jdk.") || className.startsWith("sun.");
    }

    /** Returns an exception to log instead. It has the same stack traces, but messages only of the store. */
    public static Throwable traceOf(Throwable error) {
        return error instanceof StoreException ? Trace.of(error, Errors.message(error)) : Trace.of(error);
    }
}

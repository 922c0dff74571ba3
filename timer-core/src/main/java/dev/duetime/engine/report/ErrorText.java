package dev.duetime.engine.report;

import dev.duetime.StoreException;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Printable;
import dev.duetime.internal.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of an exception in the log. The message of a store's exception carries no stored values, and names all
 * causes. Other exceptions come from the user's code, which has seen payloads: of them the log shows classes and places
 * but no message.
 */
public final class ErrorText {
    /** More causes than anybody reads; also ends a circle of them. */
    private static final int CAUSES = 10;

    private ErrorText() {}

    /** Returns what a store says, or the classes of any other error and its causes, and where the first was thrown. */
    public static String of(Throwable error) {
        if (error instanceof StoreException) {
            return Printable.withoutSecrets(error.getMessage());
        }
        List<String> classes = new ArrayList<>();
        for (Throwable each = error; each != null && classes.size() < CAUSES; each = Errors.cause(each)) {
            classes.add(each.getClass().getName() + place(each, classes.isEmpty()));
        }
        return String.join(", caused by ", classes);
    }

    /** Returns where an error was thrown: in code that is not the platform's, if it came that way. */
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

    /** Returns an exception to log instead: the same stack traces, and of messages that of a store. */
    public static Throwable traceOf(Throwable error) {
        return error instanceof StoreException ? Trace.of(error, error.getMessage()) : Trace.of(error);
    }
}

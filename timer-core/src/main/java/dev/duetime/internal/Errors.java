package dev.duetime.internal;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one reader of exceptions. Methods of the user's exceptions may be overridden, and may throw anything or return
 * null.
 */
public final class Errors {

    private Errors() {}

    /** Returns the text form, or the name of the class if the exception itself throws. */
    public static String shown(Throwable error) {
        try {
            return String.valueOf(error.toString());
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
            return error.getClass().getName();
        }
    }

    /** Returns the message; null if there is none, or if the exception itself throws. */
    public static @Nullable String message(Throwable error) {
        try {
            return error.getMessage();
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
            return null;
        }
    }

    /** Returns the cause; null if there is none, or if the exception itself throws. */
    public static @Nullable Throwable cause(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
            return null;
        }
    }

    /** Returns the stack trace without nulls; an empty one if there is none, or if the exception itself throws. */
    public static StackTraceElement[] trace(Throwable error) {
        StackTraceElement[] trace = null;
        try {
            trace = error.getStackTrace();
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
        }
        return trace == null
                ? new StackTraceElement[0]
                : Arrays.stream(trace).filter(Objects::nonNull).toArray(StackTraceElement[]::new);
    }

    /** Returns the cause of a failed task as what may be thrown unchecked; throws it if it is an {@link Error}. */
    public static RuntimeException unchecked(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked
                ? unchecked
                : new IllegalStateException(asMessage(thrown), thrown);
    }

    /** The constructor that takes only a cause calls its {@code toString}. */
    private static @Nullable String asMessage(@Nullable Throwable cause) {
        return cause == null ? null : shown(cause);
    }
}

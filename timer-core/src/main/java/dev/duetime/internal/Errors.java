package dev.duetime.internal;

import org.jspecify.annotations.Nullable;

/** Questions to exceptions. Methods of the user's exceptions may be overridden and may throw anything. */
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

    /** Returns the cause; null if there is none, or if the exception itself throws. */
    public static @Nullable Throwable cause(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
            return null;
        }
    }

    /** Returns the stack trace; an empty one if the exception itself throws. */
    public static StackTraceElement[] trace(Throwable error) {
        try {
            return error.getStackTrace();
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
            return new StackTraceElement[0];
        }
    }

    /** Returns the cause of a failed task as what may be thrown unchecked; throws it if it is an {@link Error}. */
    public static RuntimeException unchecked(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }
}

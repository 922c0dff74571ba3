package dev.duetime.engine.report;

import dev.duetime.internal.UserCode;

/** The errors after which the process must not continue, in contrast to errors of the code that was called. */
public final class Fatal {

    private Fatal() {}

    /** Throws the error again if the JVM itself is broken. */
    public static void rethrow(Throwable error) {
        UserCode.rethrowFatal(error);
    }
}

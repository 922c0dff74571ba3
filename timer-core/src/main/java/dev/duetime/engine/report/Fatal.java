package dev.duetime.engine.report;

import dev.duetime.internal.UserCode;

/** Tells errors that are the fault of the code that was called from those that nobody may go on after. */
public final class Fatal {

    private Fatal() {}

    /** Throws the error again if the machine itself is broken. */
    public static void rethrow(Throwable error) {
        UserCode.rethrowFatal(error);
    }
}

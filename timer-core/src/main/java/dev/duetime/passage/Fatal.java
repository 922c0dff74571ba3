package dev.duetime.passage;

/** Tells errors that are the fault of the code that was called from those that nobody may go on after, as the engine does. */
final class Fatal {

    private Fatal() {}

    /** Throws the error again if the machine itself is broken: any {@link VirtualMachineError} but for want of room. */
    static void rethrow(Throwable error) {
        boolean room = error instanceof StackOverflowError || error instanceof OutOfMemoryError;
        if (error instanceof VirtualMachineError fatal && !room) {
            throw fatal;
        }
    }
}

package dev.duetime.jdbc.internal.tx;

/**
 * The interrupt flag of threads that call the database. The flag must not reach it: an embedded database would close
 * its file.
 */
public final class InterruptFlag {
    private InterruptFlag() {}

    /**
     * A call of the database.
     *
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface Call<T, X extends Exception> {
        T run() throws X;
    }

    /** Makes a call with the flag cleared, and sets it again after that. */
    public static <T, X extends Exception> T cleared(Call<T, X> call) throws X {
        boolean interrupted = Thread.interrupted();
        try {
            return call.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** As {@link #cleared(Call)}. */
    public static void clearedFor(Runnable call) {
        cleared(() -> {
            call.run();
            return true;
        });
    }
}

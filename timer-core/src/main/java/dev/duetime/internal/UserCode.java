package dev.duetime.internal;

import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one way in which threads of the engine call code of the user: publishers, handlers, listeners, codecs, retry
 * delays.
 *
 * <p>Whatever that code throws comes back as a value, an {@link Error} and an {@link InterruptedException} too: both
 * are failures of the code that was called. On a thread of the engine the interrupt flag is clear after each call,
 * because a store that is called with the flag set may not survive it: an embedded H2 closes its file. Only while the
 * loop is being closed does an interrupt mean the engine. Thread-safe.
 */
public final class UserCode {
    /** Bounds the search through causes, which may form a cycle. */
    private static final int DEEPEST = 20;

    private static final UserCode NEVER_CLOSED = new UserCode(() -> false);

    /** Calls on a thread of a caller. An interrupt there is the caller's: it ends what runs, and the flag stays. */
    private static final UserCode OF_CALLER = new UserCode(() -> false);

    private static final ThreadLocal<@Nullable UserCode> RUNNING = new ThreadLocal<>();

    private final BooleanSupplier closing;
    private final BooleanSupplier limited;
    private final Supplier<Instant> now;

    /**
     * Creates it for a loop whose time the code does not need.
     *
     * @param closing whether the loop that calls is being closed
     */
    public UserCode(BooleanSupplier closing) {
        this(closing, () -> false, () -> Instant.MIN);
    }

    /**
     * Creates the guard of a loop.
     *
     * @param closing whether the loop that calls is being closed
     * @param now returns the time of that loop
     */
    public UserCode(BooleanSupplier closing, Supplier<Instant> now) {
        this(closing, () -> false, now);
    }

    private UserCode(BooleanSupplier closing, BooleanSupplier limited, Supplier<Instant> now) {
        this.closing = closing;
        this.limited = limited;
        this.now = now;
    }

    /**
     * Returns the guard of a loop that interrupts code of the user at a limit.
     *
     * @param closing whether the loop that calls is being closed
     * @param limited whether the running call was interrupted because of a limit
     */
    public static UserCode withLimit(BooleanSupplier closing, BooleanSupplier limited) {
        return new UserCode(closing, limited, () -> Instant.MIN);
    }

    /**
     * Returns what called the code that runs on this thread, for code of ours that a loop calls as if it was the
     * user's.
     */
    public static UserCode ofThisThread() {
        UserCode running = RUNNING.get();
        return running == null ? NEVER_CLOSED : running;
    }

    /** Returns what called the code that runs on this thread, for code of ours that callers call, too. */
    public static UserCode ofThisThreadOrCaller() {
        UserCode running = RUNNING.get();
        return running == null ? OF_CALLER : running;
    }

    /** Returns whether the loop that calls is being closed. */
    public boolean isClosing() {
        return closing.getAsBoolean();
    }

    /** Returns whether a deadline has passed by the time of the loop that calls; false if that time is not known. */
    public boolean isAfter(@Nullable Instant deadline) {
        return deadline != null && now.get().isAfter(deadline);
    }

    /** Returns whether this thread runs code of the user that the engine called. */
    public static boolean isRunning() {
        return RUNNING.get() != null;
    }

    /** User code that returns a value. */
    @FunctionalInterface
    public interface Call<T> {
        /** Calls the code of the user. */
        @Nullable
        T call() throws Exception;
    }

    /** User code that returns nothing. */
    @FunctionalInterface
    public interface Action {
        /** Runs the code of the user. */
        void run() throws Exception;
    }

    /**
     * The result of a call of user code.
     *
     * @param value what it returned; null if it threw
     * @param error what it threw; null if it returned
     * @param isInterrupted whether the call was interrupted while the loop is being closed, or on a thread of a caller:
     *     then its error is no failure, and nothing more is to be called
     */
    public record Answer<T>(@Nullable T value, @Nullable Throwable error, boolean isInterrupted) {}

    /**
     * Runs code of the user.
     *
     * @throws VirtualMachineError if the machine itself is broken
     */
    public Answer<Boolean> run(Action action) {
        return call(() -> {
            action.run();
            return true;
        });
    }

    /**
     * Calls code of the user.
     *
     * @throws VirtualMachineError if the machine itself is broken
     */
    @SuppressWarnings("Interruption") // The flag is cleared by design.
    public <T> Answer<T> call(Call<T> call) {
        if (!hasInterrupted()) {
            clearInterrupt();
        }
        UserCode outer = RUNNING.get();
        RUNNING.set(this);
        T value = null;
        Throwable error = null;
        try {
            value = call.call();
        } catch (Throwable e) {
            error = e;
        } finally {
            if (outer == null) {
                RUNNING.remove();
            } else {
                RUNNING.set(outer);
            }
        }
        boolean interrupted = Thread.interrupted() || error instanceof InterruptedException;
        if (error != null) {
            rethrowFatal(error);
        }
        if (this == OF_CALLER) {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return new Answer<>(value, error, interrupted);
        }
        return new Answer<>(value, error, closing.getAsBoolean() && (interrupted || isInterrupt(error)));
    }

    /** Returns whether an interrupt is the error or one of its causes: frameworks wrap it, with the flag clear. */
    private static boolean isInterrupt(@Nullable Throwable error) {
        Throwable cause = error;
        for (int i = 0; i < DEEPEST && cause != null; i++) {
            if (cause instanceof InterruptedException) {
                return true;
            }
            cause = Errors.cause(cause);
        }
        return false;
    }

    /** Clears an interrupt flag that code of the user left behind on a thread of the engine. */
    @SuppressWarnings("CheckReturnValue")
    public static void clearInterrupt() {
        Thread.interrupted();
    }

    /**
     * Clears an interrupt flag that code of the user left behind, if a thread of the engine runs that code. Each call
     * of ours that such code makes does this before it calls the store. If the engine has interrupted the code,
     * because it closes or because of a limit, the flag stays. On a thread of a caller the flag is the caller's, and
     * stays.
     */
    public static void clearInterruptOfEngine() {
        UserCode running = RUNNING.get();
        if (running != null && !running.hasInterrupted()) {
            clearInterrupt();
        }
    }

    /** Returns whether the engine or a caller may have interrupted this thread. */
    private boolean hasInterrupted() {
        return this == OF_CALLER || closing.getAsBoolean() || limited.getAsBoolean();
    }

    /**
     * Throws the error again if the machine itself is broken: any {@link VirtualMachineError} except a lack of memory
     * or stack, and except {@link InternalError}, which libraries throw as well.
     */
    public static void rethrowFatal(Throwable error) {
        boolean callers = error instanceof StackOverflowError
                || error instanceof OutOfMemoryError
                || error instanceof InternalError;
        if (error instanceof VirtualMachineError fatal && !callers) {
            throw fatal;
        }
    }
}

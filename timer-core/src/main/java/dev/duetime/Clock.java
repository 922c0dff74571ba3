package dev.duetime;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * Time and waiting behind one seam, so that a test's clock drives the real engine. Implementations are thread-safe.
 *
 * <p>The scheduler uses the database's time unless another clock is set. The idea is OkHttp's {@code
 * TaskRunner.Backend}.
 */
public interface Clock {

    /** Returns the time, in whole microseconds. */
    Instant now();

    /** Returns a count of nanoseconds that never goes back, to measure leases by. */
    long nanoTime();

    /**
     * Starts a loop: runs the pass, waits until the instant that it returned or until woken, and runs it again, until
     * closed. A pass is never run by two threads at once.
     *
     * @param name shown as the thread's name
     */
    Loop start(String name, Pass pass);

    /**
     * Starts a loop that waits by the time of another clock, one that is carried by this one's {@link #nanoTime}.
     * Otherwise as {@link #start(String, Pass)}.
     *
     * @throws UnsupportedOperationException if this clock's loops wait by its own time only, as by default
     */
    default Loop start(String name, Pass pass, Clock time) {
        throw new UnsupportedOperationException(
                "loops must wait by the time of this clock, a " + getClass().getName());
    }

    /**
     * Runs a task once. If this clock's loops have threads, the task runs in its own thread; by default it runs at once
     * in the caller's thread.
     *
     * @param name the name of the thread
     * @return a future that is done when the task has ended
     */
    default Future<?> run(String name, Runnable work) {
        FutureTask<?> task = new FutureTask<>(Executors.callable(work));
        task.run();
        return task;
    }

    /** One turn of a loop. */
    @FunctionalInterface
    interface Pass {
        /**
         * Does what is to be done now.
         *
         * @return when to be run again; an instant that is past means at once
         * @throws InterruptedException if the loop is to end
         */
        Instant run() throws InterruptedException;

        /**
         * Returns until when turns find nothing to do, unless something is written to the store or the loop is woken: a
         * clock of tests may leave them out. {@link Instant#MAX} if they may be left out whatever is written. {@link
         * Instant#MIN}, the default, if the next turn may do something.
         *
         * <p>Asked after a turn, by the thread that ran it.
         */
        default Instant idleUntil() {
            return Instant.MIN;
        }

        /**
         * Makes everything as if the turns before now had been run that were left out. Called in place of them, by the
         * thread that runs turns, at a time no later than {@link #idleUntil}.
         *
         * @return when to be run again, as the last of them would have said
         */
        default Instant leftOut() {
            throw new UnsupportedOperationException("no turn may be left out");
        }
    }

    /** A running loop. Thread-safe. */
    interface Loop {
        /** Makes the loop run no later than the given instant. */
        void wakeAt(Instant instant);

        /**
         * Ends the loop: no new pass begins. Waits until the running one is over, at most for the given time, then
         * interrupts it and waits no longer. May be called again, to wait for what was interrupted.
         *
         * @return whether the loop has ended
         */
        boolean close(Duration limit);
    }
}

package dev.duetime;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

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
     * Starts a loop. The loop runs the pass, waits until the instant that the pass returned or until it is woken, and
     * repeats this until it is closed. Two threads never run a pass at once.
     *
     * @param name shown as the thread's name
     */
    Loop start(String name, Pass pass);

    /**
     * Starts a loop that waits by the time of another clock, which this clock's {@link #nanoTime} carries. Otherwise as
     * {@link #start(String, Pass)}.
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
         * Runs one turn.
         *
         * @return when to run the next turn; a past instant means at once
         * @throws InterruptedException if the loop must end
         */
        Instant run() throws InterruptedException;

        /**
         * Returns until when turns have nothing to do, unless something is written to the store or the loop is woken. A
         * clock of tests may skip these turns. {@link Instant#MAX} means that turns may be skipped even after a write.
         * A time that has come means that the next turn may have work, and that this one has changed nothing that other
         * loops could notice, except in the store and by waking them. {@link Instant#MIN}, the default, means that all
         * loops may have work.
         *
         * <p>Asked after a turn, by the thread that ran it.
         */
        default Instant idleUntil() {
            return Instant.MIN;
        }

        /**
         * Returns the queues whose timers, pauses or limits the turns read. Only what is written to these ends what
         * {@link #idleUntil} returned, beside leases and hints. Null, the default, means any write.
         */
        default @Nullable Set<String> queuesRead() {
            return null;
        }

        /**
         * Brings the state up to date after skipped turns, as if they had run. Called in place of them, by the thread
         * that runs turns, at a time no later than {@link #idleUntil}.
         *
         * @return when to run the next turn, as the last skipped turn would have returned
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
         * Ends the loop: no new pass begins. Waits for the running pass, at most for the given time, then interrupts it
         * and returns. May be called again, to wait for the interrupted pass.
         *
         * @return whether the loop has ended
         */
        boolean close(Duration limit);
    }
}

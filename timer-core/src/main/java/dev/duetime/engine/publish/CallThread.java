package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that makes one call of a publisher at a time. The loop begins a job, and notes its result when the job has
 * ended. A job always ends: if an error breaks off the thread's turn, its next turn ends the job. Used by the loop's
 * thread, except {@link #running} and {@link #close}.
 */
final class CallThread {
    private final LoopWatch clock;
    private final PublishCall call;
    private final Runnable wake;
    private final String name;

    /** The job that was begun, until its result was noted. Written by the loop's thread. */
    private volatile @Nullable Work work;

    private volatile @Nullable Instant since;
    private volatile @Nullable Running running;
    private volatile Clock.@Nullable Loop loop;
    private volatile boolean closed;

    /**
     * A job that has ended.
     *
     * @param thread the thread that did it
     * @param job what it was
     * @param batch the timers that it held
     * @param result what became of them
     * @param beganNanos when it began
     */
    record Ended(CallThread thread, CallJob job, List<Parcel> batch, Result result, long beganNanos) {}

    /** The call of the publisher that runs. */
    record Running(List<Parcel> parcels, long beganNanos, Instant began) {}

    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    /** A job, with the object for its result: when it ends, there may be no memory for one. */
    private static final class Work {
        private final Ended outcome;
        private final Supplier<Predicate<Parcel>> mayBePublished;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        /** Whether the loop was woken after the end. Used by the thread of the call. */
        private boolean hasWoken;

        Work(Ended outcome, Supplier<Predicate<Parcel>> mayBePublished) {
            this.outcome = outcome;
            this.mayBePublished = mayBePublished;
        }

        boolean begins() {
            return state.compareAndSet(State.WAITING, State.RUNNING);
        }

        boolean endsUnbegun() {
            return state.compareAndSet(State.WAITING, State.ENDED);
        }
    }

    CallThread(LoopWatch clock, String name, PublishCall call, Runnable wake) {
        this.clock = clock;
        this.name = name;
        this.call = call;
        this.wake = wake;
    }

    /** Returns whether it has no call whose result was not noted. */
    boolean isFree() {
        return work == null;
    }

    /** Returns the timers of the call whose result was not noted. */
    List<Parcel> batch() {
        Work begun = work;
        return begun == null ? List.of() : begun.outcome.batch;
    }

    /** Returns the job whose result was not noted; null if there is none. */
    @Nullable
    CallJob job() {
        Work begun = work;
        return begun == null ? null : begun.outcome.job;
    }

    /** Returns when the job began whose result was not noted. */
    long beganNanos() {
        Work begun = work;
        return begun == null ? 0 : begun.outcome.beganNanos;
    }

    /** Returns since when the job runs; null if none does. */
    @Nullable
    Instant since() {
        return since;
    }

    /** Begins a job. The thread must be free. If it cannot be started, the job has failed. */
    void begin(CallJob job, Supplier<Predicate<Parcel>> mayBePublished) {
        List<Parcel> held = List.copyOf(job.parcels());
        Work begun = new Work(new Ended(this, job, held, new Result(), clock.nanoTime()), mayBePublished);
        work = begun;
        try {
            Clock.Loop started = loop;
            if (started == null && !closed) {
                started = clock.startPatient(name, this::run);
                loop = started;
            }
            if (started != null) {
                started.wakeAt(Instant.MIN);
            }
        } catch (RuntimeException | Error e) {
            // No memory for a thread, or the user's thread factory has failed.
            UserCode.rethrowFatal(e);
            if (begun.endsUnbegun()) {
                begun.outcome.result.error = e;
                wake.run();
            }
        }
    }

    /** Makes a call begin or end that nobody would begin, after a turn of the loop broke off. */
    void recover() {
        Work begun = work;
        Clock.Loop started = loop;
        if (begun != null && started != null) {
            started.wakeAt(Instant.MIN);
        } else if (begun != null) {
            begun.endsUnbegun();
        }
    }

    private Instant run() throws InterruptedException {
        Work begun = work;
        if (begun != null && !begun.hasWoken) {
            try {
                if (begun.begins()) {
                    publish(begun.outcome, begun.mayBePublished);
                }
            } finally {
                end(begun);
            }
        }
        return Instant.MAX;
    }

    private void publish(Ended outcome, Supplier<Predicate<Parcel>> mayBePublished) throws InterruptedException {
        Result result = outcome.result;
        try {
            since = clock.now();
            outcome.job.run(
                    call.beside(
                            outcome.batch,
                            mayBePublished,
                            parcels -> running =
                                    parcels.isEmpty() ? null : new Running(parcels, clock.nanoTime(), clock.now())),
                    result);
        } catch (RuntimeException | Error e) {
            UserCode.rethrowFatal(e);
            // For example the store failed: nothing is known of the other timers.
            result.broke(e);
        }
    }

    /** Ends a call that this thread has begun, in this turn or in one that broke off, and wakes the loop. */
    private void end(Work begun) {
        since = null;
        running = null;
        begun.state.compareAndSet(State.RUNNING, State.ENDED);
        if (begun.state.get() == State.ENDED) {
            wake.run();
            begun.hasWoken = true;
        }
    }

    /**
     * Returns the result of the call; null if the call still runs, or none was begun. The result stays here until it
     * was noted: {@link #free} forgets it. A call that has not begun once the node closes ends without the publisher.
     */
    @Nullable
    Ended ended() {
        Work begun = work;
        if (begun == null) {
            return null;
        }
        if (closed) {
            begun.endsUnbegun();
        }
        return begun.state.get() == State.ENDED ? begun.outcome : null;
    }

    /** Forgets the result of the call that has ended, and becomes free. */
    void free() {
        work = null;
    }

    /** Returns the call of the publisher that runs; null if none does. Called by any thread. */
    @Nullable
    Running running() {
        return running;
    }

    /** Waits for the running call, and then interrupts it. Returns whether the thread has ended. */
    boolean close(Duration limit) {
        closed = true;
        Clock.Loop started = loop;
        return started == null || started.close(limit);
    }
}

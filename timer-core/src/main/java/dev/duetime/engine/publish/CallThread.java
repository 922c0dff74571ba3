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
 * A thread that makes one call of a publisher at a time. The loop begins a call, and notes its result when the call has
 * ended. Used by the loop's thread, except {@link #since} and {@link #close}.
 */
final class CallThread {
    private final LoopWatch clock;
    private final PublishCall call;
    private final Runnable wake;
    private final String name;

    /** The call that has not begun; the thread that takes it runs it. */
    private final AtomicReference<@Nullable Work> waiting = new AtomicReference<>();

    private final AtomicReference<@Nullable Ended> ended = new AtomicReference<>();
    private volatile List<Parcel> batch = List.of();
    private long beganNanos;
    private volatile @Nullable Instant since;
    private volatile Clock.@Nullable Loop loop;
    private volatile boolean closed;

    /**
     * A call that has ended.
     *
     * @param thread the thread that made it
     * @param batch what it was given
     * @param result what became of it
     * @param beganNanos when it began
     */
    record Ended(CallThread thread, List<Parcel> batch, Result result, long beganNanos) {}

    /** A call, with the object for its result: when it ends, there may be no memory for one. */
    private record Work(Ended outcome, Supplier<Predicate<Parcel>> mayBePublished) {
        private List<Parcel> batch() {
            return outcome.batch();
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
        return batch.isEmpty();
    }

    /** Returns the timers of the call whose result was not noted. */
    List<Parcel> batch() {
        return batch;
    }

    /** Returns when the call began whose result was not noted. */
    long beganNanos() {
        return beganNanos;
    }

    /** Begins a call. The thread must be free. If it cannot be started, the call has failed. */
    void begin(List<Parcel> parcels, Supplier<Predicate<Parcel>> mayBePublished) {
        Work work = new Work(new Ended(this, List.copyOf(parcels), new Result(), clock.nanoTime()), mayBePublished);
        batch = work.batch();
        beganNanos = work.outcome.beganNanos();
        waiting.set(work);
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
            if (waiting.compareAndSet(work, null)) {
                work.outcome.result.error = e;
                ended.set(work.outcome);
                wake.run();
            }
        }
    }

    private Instant run() throws InterruptedException {
        Work work = waiting.getAndSet(null);
        if (work != null) {
            run(work);
        }
        return Instant.MAX;
    }

    private void run(Work work) throws InterruptedException {
        Result result = work.outcome.result;
        try {
            since = clock.now();
            result.error = call.publish(work.batch(), result, work.mayBePublished);
        } catch (RuntimeException | Error e) {
            UserCode.rethrowFatal(e);
            // For example the store failed: nothing is known of these timers.
            result.error = e;
        } finally {
            since = null;
            ended.set(work.outcome);
            wake.run();
        }
    }

    /**
     * Returns the result of the call; null if the call still runs, or none was begun. The result stays here until it
     * was noted: {@link #free} forgets it. A call that has not begun once the node closes ends without the publisher.
     */
    @Nullable
    Ended ended() {
        Work left = closed ? waiting.getAndSet(null) : null;
        if (left != null) {
            ended.set(left.outcome);
        }
        return ended.get();
    }

    /** Forgets the result of the call that has ended, and becomes free. */
    void free() {
        ended.set(null);
        batch = List.of();
    }

    @Nullable
    Instant since() {
        return since;
    }

    /** Waits for the running call, and then interrupts it. Returns whether the thread has ended. */
    boolean close(Duration limit) {
        closed = true;
        Clock.Loop started = loop;
        return started == null || started.close(limit);
    }
}

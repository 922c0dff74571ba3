package dev.duetime.testkit;

import dev.duetime.Clock;
import dev.duetime.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Is virtual time: it stands still until a test advances it, and the test's thread then runs every loop whose time comes
 * on the way, each at its exact instant. There are no threads and nothing sleeps.
 *
 * <p>Starts at 2030-01-01T00:00:00Z unless told otherwise, and moves in whole microseconds. Thread-safe; only one thread at
 * a time may advance it. The idea is OkHttp's {@code TaskFaker}.
 */
public final class TestClock implements Clock {
    /** When virtual time begins by default. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final VirtualTime time;
    private final Node own;

    /** Creates a clock that stands at {@link #START}. */
    public TestClock() {
        this(START);
    }

    /** Creates a clock that stands at the given instant, rounded down to whole microseconds. */
    public TestClock(Instant start) {
        time = new VirtualTime(Micros.floor(start));
        own = node("");
    }

    @Override
    public Instant now() {
        return time.now();
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    /** Registers a loop; its first turn is at once, when the clock is next advanced. */
    @Override
    public Loop start(String name, Pass pass) {
        return own.start(name, pass);
    }

    /** Returns a new view of this clock for one node of a cluster. */
    public Node node(String name) {
        return new Node(name, time);
    }

    /**
     * Lets time pass, and runs what falls due on the way. Otherwise as {@link #advanceTo}.
     *
     * @throws IllegalArgumentException if {@code duration} is negative
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration must be at least PT0S but was " + duration);
        }
        advanceTo(now().plus(duration));
    }

    /**
     * Lets time pass until the given instant, rounded down to whole microseconds. Runs every loop whose time has come by
     * then, in order of time, then of registration. What a loop throws comes out here and leaves time at that instant; the
     * loop goes on a second later.
     *
     * @throws IllegalArgumentException if {@code instant} is before {@link #now}
     * @throws IllegalStateException if called from inside a turn of a loop, or while another thread advances the clock
     * @throws AssertionError if a loop runs 100,000 times without letting time pass
     */
    public void advanceTo(Instant instant) {
        time.advanceTo(Micros.floor(instant));
    }

    /**
     * Lets time pass inside the turn of a loop, as a publisher does that takes its time: meanwhile the other loops run, also
     * those of the same node unless it is {@linkplain Node#pause paused}. Outside any turn as {@link #advance}.
     *
     * @throws IllegalArgumentException if {@code duration} is negative
     * @throws IllegalStateException if another thread advances the clock
     */
    public void linger(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration must be at least PT0S but was " + duration);
        }
        time.linger(Micros.floor(now().plus(duration)));
    }

    /**
     * Sets whether every turn is run; true by default, false for that of a {@link TimerKit} with a store in memory. If not, turns
     * are left out of which the engine knows that they find nothing to do, such as polls before the next due time: days without
     * events cost nothing. What happens is the same, and when. Only where nobody writes to the store but this thread, while the
     * clock is advanced.
     */
    public TestClock everyTurn(boolean everyTurn) {
        time.everyTurn(everyTurn);
        return this;
    }

    /** Runs what is due now; time stands still. Otherwise as {@link #advanceTo}. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /**
     * Is the clock as one node of a cluster sees it: its loops can be killed or paused together, and its wall time can
     * jump. Thread-safe.
     */
    public static final class Node implements Clock {
        private final String name;
        private final VirtualTime time;

        // Mutable state, changed by the test's thread.
        private volatile Duration offset = Duration.ZERO;
        private volatile boolean paused;

        private Node(String name, VirtualTime time) {
            this.name = name;
            this.time = time;
        }

        /** Returns the time, moved by all {@linkplain #jump jumps}. */
        @Override
        public Instant now() {
            return time.now().plus(offset);
        }

        /** Returns the count that all nodes share; it knows no jumps. */
        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        /** Registers a loop of this node; its first turn is at once, when the clock is next advanced. */
        @Override
        public Loop start(String loopName, Pass pass) {
            return start(loopName, pass, this);
        }

        /** Registers a loop of this node that waits by another clock's time, so that jumps of this one do not matter. */
        @Override
        public Loop start(String loopName, Pass pass, Clock by) {
            String full = name.isEmpty() ? loopName : name + "/" + loopName;
            return time.start(new VirtualLoop(time, this, full, pass, by));
        }

        /** Makes this node's wall time jump, forward or back; its loops wait by the new time. */
        public void jump(Duration by) {
            offset = Duration.of(offset.plus(by).toNanos() / 1_000, ChronoUnit.MICROS);
        }

        /** Stops this node's loops, as a long pause of its process does, until {@link #resume}. Time goes on. */
        public void pause() {
            paused = true;
        }

        /** Lets the loops go on; what came due meanwhile is run at once, when the clock is next advanced. */
        public void resume() {
            paused = false;
        }

        /** Removes this node's loops, as if its process was killed. A turn that is running goes on to its end. */
        public void kill() {
            time.kill(this);
        }

        boolean isPaused() {
            return paused;
        }

        /** Returns whether the current thread is inside a turn of this node. */
        public boolean isRunningHere() {
            return time.isRunningHere(this);
        }
    }
}

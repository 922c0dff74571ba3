package dev.duetime.testkit;

import dev.duetime.Clock;
import dev.duetime.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock with virtual time. Time does not move until a test advances it. Then the test's thread runs every loop that
 * becomes due meanwhile, each at its exact instant. There are no threads, and nothing sleeps.
 *
 * <p>The time is 2030-01-01T00:00:00Z at first unless set, and moves in whole microseconds. Thread-safe, but only one
 * thread at a time may advance it. The idea is OkHttp's {@code TaskFaker}.
 */
public final class TestClock implements Clock {
    /** The default start of virtual time. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final VirtualTime time;
    private final Node own;

    /** Creates a clock whose time is {@link #START}. */
    public TestClock() {
        this(START);
    }

    /** Creates a clock whose time is the given instant, rounded down to whole microseconds. */
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

    /** Registers a loop. Its first turn runs when the clock is next advanced, without waiting. */
    @Override
    public Loop start(String name, Pass pass) {
        return own.start(name, pass);
    }

    /** Returns a new view of this clock for one node of a cluster. */
    public Node node(String name) {
        return new Node(name, time);
    }

    /**
     * Lets time pass, and runs everything that becomes due meanwhile. Otherwise like {@link #advanceTo}.
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
     * Lets time pass until the given instant, rounded down to whole microseconds. Runs every loop that is due by then,
     * in order of time, then of registration. If a loop throws, this method throws the same and time stays at that
     * instant. The loop runs again a second later.
     *
     * @throws IllegalArgumentException if {@code instant} is before {@link #now}
     * @throws IllegalStateException if called from inside a turn of a loop, or while another thread advances the clock
     * @throws AssertionError if a loop runs 100,000 times at the same instant
     */
    public void advanceTo(Instant instant) {
        time.advanceTo(Micros.floor(instant));
    }

    /**
     * Lets time pass inside the turn of a loop, like a slow publisher. Meanwhile the other loops run, also those of the
     * same node unless it is {@linkplain Node#pause paused}. Outside any turn it is the same as {@link #advance}.
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
     * Sets whether every turn runs. The default is true; it is false for the clock of a {@link TimerKit} with a store
     * in memory. If false, the clock skips turns that find nothing to do, such as polls before the next due time. So
     * days without events cost nothing. What happens, and when, is the same. Set false only if no other thread writes
     * to the store while the clock is advanced.
     */
    public TestClock everyTurn(boolean everyTurn) {
        time.everyTurn(everyTurn);
        return this;
    }

    /** Sets what counts the changes of the store: a turn that changes it may give other loops work. */
    void watch(StoreChanges changes) {
        time.watch(changes);
    }

    /** Notes that the test has changed something that a turn may notice, such as a fault of the store. */
    void changed() {
        time.changed();
    }

    /** Runs what is due now, without letting time pass. Otherwise like {@link #advanceTo}. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /**
     * The clock as one node of a cluster sees it. The loops of the node can be killed or paused together, and its wall
     * time can jump. Thread-safe.
     */
    public static final class Node implements Clock {
        private final String name;
        private final VirtualTime time;

        // Mutable state, changed by the test's thread.
        private volatile Duration offset = Duration.ZERO;
        private final AtomicLong jumps = new AtomicLong();
        private volatile boolean paused;

        private Node(String name, VirtualTime time) {
            this.name = name;
            this.time = time;
        }

        /** Returns the time, changed by all {@linkplain #jump jumps}. */
        @Override
        public Instant now() {
            Instant now = time.now();
            return offset.isZero() ? now : now.plus(offset);
        }

        /** Returns the monotonic count that all nodes share. Jumps do not change it. */
        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        /** Registers a loop of this node. Its first turn runs when the clock is next advanced, without waiting. */
        @Override
        public Loop start(String loopName, Pass pass) {
            return start(loopName, pass, this);
        }

        /** Registers a loop of this node that waits by another clock, so jumps of this clock do not affect it. */
        @Override
        public Loop start(String loopName, Pass pass, Clock by) {
            String full = name.isEmpty() ? loopName : name + "/" + loopName;
            return time.start(new VirtualLoop(time, this, full, pass, by));
        }

        /**
         * Makes this node's wall time jump, forward or back. Its loops wait by the new time, but no longer than they
         * would have waited without the jump.
         */
        public void jump(Duration by) {
            offset = Duration.of(offset.plus(by).toNanos() / 1_000, ChronoUnit.MICROS);
            jumps.incrementAndGet();
            time.changed();
        }

        /** Returns how often this clock has jumped. */
        long jumps() {
            return jumps.get();
        }

        /** Stops this node's loops, like a long pause of its process, until {@link #resume}. Time passes meanwhile. */
        public void pause() {
            paused = true;
            time.changed();
        }

        /** Lets the loops run again. Loops that became due meanwhile run when the clock is next advanced. */
        public void resume() {
            paused = false;
            time.changed();
        }

        /** Removes this node's loops, as if its process was killed. A running turn continues to its end. */
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

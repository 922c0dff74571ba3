package dev.duetime.engine.loop;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A clock that watches the loops which it starts. A loop whose thread has ended, or that hangs, cannot report that. So
 * the watch looks for a turn that should have begun and did not, that does not end, or that fails again and again.
 * Thread-safe.
 */
public final class LoopWatch implements Clock {
    /** How often a loop whose turns are held back asks whether they may begin. */
    private static final Duration WHILE_HELD = Duration.ofMillis(100);

    /** A shorter delay is no sign of a problem. */
    private static final long SHORT_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Duration LONG = Duration.ofDays(1_000);

    private final Clock clock;
    private final List<WatchedLoop> loops = new CopyOnWriteArrayList<>();

    /** The gate of the loops that are started from now on. */
    private volatile Gate gate = new Gate(true);

    public LoopWatch(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    /** Starts a loop whose turns must not take long. */
    @Override
    public Loop start(String name, Pass pass) {
        return start(name, pass, false);
    }

    /** Starts a loop whose turns may take any time, such as one that calls a user's code. */
    public Loop startPatient(String name, Pass pass) {
        return start(name, pass, true);
    }

    /**
     * Holds back the turns of all loops that are started from now on, until {@link #begin}. If they are closed before
     * that, none of their turns ever runs, so another thread may run the same pass.
     */
    public void hold() {
        gate = new Gate(false);
    }

    /** Lets the turns of the loops begin that were started since {@link #hold}. */
    public void begin() {
        Gate opened = gate;
        opened.isOpen = true;
        for (WatchedLoop loop : loops) {
            if (loop.gate == opened) {
                loop.wakeAt(Instant.MIN);
            }
        }
    }

    private static final class Gate {
        private volatile boolean isOpen;

        Gate(boolean isOpen) {
            this.isOpen = isOpen;
        }
    }

    private Loop start(String name, Pass pass, boolean patient) {
        WatchedLoop loop = new WatchedLoop(pass, patient);
        // In this order: without memory for the list, no thread runs that nobody closes.
        loops.add(loop);
        boolean started = false;
        try {
            loop.start(name);
            started = true;
            return loop;
        } finally {
            if (!started) {
                loops.remove(loop);
            }
        }
    }

    /**
     * Returns since when a loop has been late for its turn, stuck in it, or has failed in each turn, taking the one
     * with the longest time; null if there is none.
     */
    @Nullable
    public Instant stuckSince() {
        long now = clock.nanoTime();
        long longest = 0;
        for (WatchedLoop loop : loops) {
            longest = Math.max(longest, Math.max(loop.lateNanos(now), loop.turnNanos(now)));
        }
        return longest < SHORT_NANOS ? null : clock.now().minusNanos(longest);
    }

    /**
     * Returns whether a loop has been late for its turn, or has failed in each turn, for that long: its thread has
     * ended, gets no CPU time, or needs something that is broken until the process ends.
     */
    boolean isLate(Duration limit) {
        long now = clock.nanoTime();
        return loops.stream().anyMatch(loop -> loop.lateNanos(now) > limit.toNanos());
    }

    private static long nanosBetween(Instant from, Instant to) {
        Duration between = Duration.between(from, to);
        return between.compareTo(LONG) < 0 ? between.toNanos() : LONG.toNanos();
    }

    private final class WatchedLoop implements Loop, Pass {
        private final Pass pass;
        private final boolean patient;
        private final Gate gate = LoopWatch.this.gate;
        private volatile @Nullable Loop loop;
        private volatile boolean closed;

        // Mutable state, written by the loop's thread and by threads that wake it. If two threads write at once, either
        // value may stay: the loop is then watched from its next turn on.
        private volatile Instant dueAt = Instant.MIN;
        private volatile long dueSetNanos = clock.nanoTime();
        private volatile boolean inTurn;
        private volatile long turnBeganNanos;

        /** Since when each turn has failed, in nanoseconds of the clock; null if the last one did not. */
        private volatile @Nullable Long failingSinceNanos;

        WatchedLoop(Pass pass, boolean patient) {
            this.pass = pass;
            this.patient = patient;
        }

        void start(String name) {
            closed = true;
            loop = clock.start(name, this);
            closed = false;
        }

        @Override
        public Instant run() throws InterruptedException {
            if (!gate.isOpen) {
                return clock.now().plus(WHILE_HELD);
            }
            begin(clock.nanoTime());
            Instant next = Instant.MIN;
            boolean succeeded = false;
            try {
                next = pass.run();
                succeeded = true;
                return next;
            } finally {
                long now = clock.nanoTime();
                noteResult(succeeded, now);
                end(next, now);
            }
        }

        @Override
        public Instant idleUntil() {
            return pass.idleUntil();
        }

        @Override
        public @Nullable Set<String> queuesRead() {
            return pass.queuesRead();
        }

        @Override
        public Instant leftOut() {
            dueAt = Instant.MAX;
            Instant next = pass.leftOut();
            due(next, clock.nanoTime());
            return next;
        }

        private void begin(long now) {
            turnBeganNanos = now;
            inTurn = true;
            dueAt = Instant.MAX;
        }

        private void noteResult(boolean succeeded, long now) {
            if (succeeded) {
                failingSinceNanos = null;
            } else if (failingSinceNanos == null) {
                failingSinceNanos = now;
            }
        }

        private void end(Instant next, long now) {
            inTurn = false;
            due(next, now);
        }

        private void due(Instant instant, long now) {
            if (instant.isBefore(dueAt)) {
                dueSetNanos = now;
                dueAt = instant;
            }
        }

        /**
         * Returns how long ago the loop's turn should have begun, or for how long each turn has failed. The first is no
         * longer than the loop has known of that turn, because the clock may jump.
         */
        long lateNanos(long now) {
            Instant due = dueAt;
            Long failingSince = failingSinceNanos;
            if (failingSince != null && !closed) {
                return Math.max(0, now - failingSince);
            }
            if (closed || inTurn || due.equals(Instant.MAX)) {
                return 0;
            }
            long known = Math.max(0, now - dueSetNanos);
            if (due.equals(Instant.MIN)) {
                return known;
            }
            Instant time = clock.now();
            return due.isBefore(time) ? Math.min(known, nanosBetween(due, time)) : 0;
        }

        /** Returns how long the running turn has lasted, unless it may take any time. */
        long turnNanos(long now) {
            return patient || closed || !inTurn ? 0 : Math.max(0, now - turnBeganNanos);
        }

        @Override
        public void wakeAt(Instant instant) {
            Instant before = dueAt;
            boolean woken = false;
            due(instant, clock.nanoTime());
            try {
                Loop started = loop;
                if (started != null) {
                    started.wakeAt(instant);
                }
                woken = true;
            } finally {
                if (!woken) {
                    // For example without memory: then no turn is due, and the loop must not count as late.
                    dueAt = before;
                }
            }
        }

        @Override
        public boolean close(Duration limit) {
            closed = true;
            Loop started = loop;
            return started == null || started.close(limit);
        }
    }
}

package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.engine.limits.PermitLoop;
import dev.duetime.engine.loop.IdlePoll;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.operate.Housekeeping;
import dev.duetime.engine.operate.Upkeep;
import dev.duetime.engine.prompt.WakeUpLoop;
import dev.duetime.engine.shards.LeaseWatch;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.Times;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The start and the end of a node's loops. Thread-safe. */
public final class NodeLife {
    /** How long a closing node waits for loops that it has interrupted. */
    public static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

    private final Clock clock;
    private final Duration closeTimeout;
    private final QueueLoops loops;
    private final ShardOwner owner;
    private final WakeUpLoop hints;
    private final PermitLoop limits;
    private final IdlePoll idlePoll;
    private final Housekeeping housekeeping;
    /** Queues with a handler: its runs must stop before the leases end. */
    private final Set<String> handled;

    private final LoopWatch watch;
    private final ReentrantLock lock = new ReentrantLock();
    private final NodeFinish finish;

    /** What begins the close, and what then waits for the running turns until a deadline and interrupts them. */
    private final List<Runnable> closeBegins;

    private final List<LongConsumer> interrupts;
    private final List<Runnable> undoes;

    // Mutable state, written under lock or by the one thread that closes.
    private volatile Clock.@Nullable Loop ownership;
    private volatile Clock.@Nullable Loop purging;
    private volatile Clock.@Nullable Loop leaseWatch;
    private volatile Clock.@Nullable Loop idlePolling;
    private volatile boolean started;
    private volatile boolean closed;
    private volatile @Nullable Thread closer;

    NodeLife(
            Clock clock,
            Duration closeTimeout,
            QueueLoops loops,
            ShardOwner owner,
            WakeUpLoop hints,
            PermitLoop limits,
            IdlePoll idlePoll,
            Housekeeping housekeeping,
            Set<String> handled) {
        this.clock = clock;
        this.closeTimeout = closeTimeout;
        this.loops = loops;
        this.owner = owner;
        this.hints = hints;
        this.limits = limits;
        this.idlePoll = idlePoll;
        this.housekeeping = housekeeping;
        this.handled = handled;
        watch = new LoopWatch(clock);
        // Hints are last: nothing is lost without them. They also name the shards that are free now.
        List<Runnable> last = List.of(limits::giveBack, housekeeping::finish, hints::finish);
        finish = new NodeFinish(clock, closeTimeout, owner, last);
        closeBegins = List.of(loops::beginClose, housekeeping::close);
        interrupts = List.of(
                deadline -> loops.interrupt(() -> left(deadline)),
                deadline -> hints.close(() -> left(deadline)),
                deadline -> limits.close(left(deadline)),
                deadline -> close(leaseWatch, deadline),
                deadline -> close(idlePolling, deadline),
                deadline -> close(ownership, deadline),
                deadline -> close(purging, deadline));
        undoes = List.of(
                () -> close(ownership, clock.nanoTime()),
                () -> close(leaseWatch, clock.nanoTime()),
                () -> close(idlePolling, clock.nanoTime()),
                () -> close(purging, clock.nanoTime()),
                hints::undoStart,
                () -> limits.close(Duration.ZERO),
                loops::undoStart);
    }

    /** Lets housekeeping run now, because it has something to do. */
    void wakeHousekeeping() {
        Clock.Loop running = purging;
        if (running != null) {
            running.wakeAt(Instant.MIN);
        }
    }

    void start(List<Upkeep> upkeep) {
        prepare(upkeep);
        begin();
    }

    /**
     * Starts all threads. Their turns are held back until {@link #begin}, so nothing is delivered if one of them cannot
     * be had, here or in another engine of the node.
     */
    public void prepare(List<Upkeep> upkeep) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("scheduler is closed and cannot be started again");
            }
            if (started) {
                return;
            }
            startLoops(upkeep);
            started = true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the turns of the started loops begin. */
    public void begin() {
        EndSteps.all(List.of(loops::begin, watch::begin));
    }

    private void startLoops(List<Upkeep> upkeep) {
        try {
            watch.hold();
            housekeeping.maintain(upkeep);
            if (!loops.isEmpty()) {
                loops.start();
                if (!handled.isEmpty()) {
                    leaseWatch = watchLeases();
                }
                hints.start(watch);
                limits.start(watch);
                if (clock instanceof StoreClock) {
                    idlePolling = clock.start("duetime-idle", idlePoll);
                }
                Clock.Loop owning = watch.start("duetime-shards", owner);
                owner.news().onNews(() -> owning.wakeAt(Instant.MIN));
                ownership = owning;
            }
            purging = watch.startPatient("duetime-housekeeping", housekeeping);
        } catch (Throwable e) {
            EndSteps.after(e, () -> EndSteps.all(undoes));
            throw e;
        }
    }

    private Clock.Loop watchLeases() {
        Clock.Loop loop = clock.start("duetime-lease-watch", new LeaseWatch(owner, clock, handled, loops));
        owner.onRenewal(() -> loop.wakeAt(Instant.MIN));
        return loop;
    }

    /**
     * Ends the loops that were prepared and have not begun, which can be started again: another host's engine could not
     * be.
     */
    public void undoStart() {
        lock.lock();
        try {
            if (started && !closed) {
                started = false;
                EndSteps.all(undoes);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the loops run, or there are none to run. */
    boolean isRunning() {
        return (started || loops.isEmpty()) && !closed;
    }

    /**
     * Returns since when a loop has been late for its turn, stuck in it, or has failed in each turn with shards; null
     * if none has.
     */
    @Nullable
    Instant stuckSince() {
        if (!started || closed) {
            return null;
        }
        return Times.earliest(Times.earliest(watch.stuckSince(), loops.stuckSince()), owner.brokenSince());
    }

    void close() {
        QueueLoops.Ended ended = new QueueLoops.Ended();
        AtomicBoolean interrupted = new AtomicBoolean();
        List<Runnable> steps = List.of(
                () -> EndSteps.all(closeBegins),
                () -> takeInterrupt(interrupted),
                () -> interrupt(clock.nanoTime() + (interrupted.get() ? 0 : closeTimeout.toNanos())),
                () -> takeInterrupt(interrupted),
                // All loops together get as long as one would: those that ignore an interrupt are not waited for one by
                // one.
                () -> end(clock.nanoTime() + AFTER_INTERRUPT.toNanos(), ended),
                () -> finish.await(
                        finish.begin(ended), clock.nanoTime() + finish.longest().toNanos()),
                () -> restoreInterrupt(interrupted));
        if (isFirstToClose()) {
            EndSteps.all(steps);
        } else {
            awaitClosed();
        }
    }

    /** With the flag set no wait would last, and idle loops would look as if they still delivered. */
    private static void takeInterrupt(AtomicBoolean interrupted) {
        if (Thread.interrupted()) {
            interrupted.set(true);
        }
    }

    private static void restoreInterrupt(AtomicBoolean interrupted) {
        if (interrupted.get()) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes the turns after the running ones do nothing. */
    public void beginClose() {
        @SuppressWarnings("unused") // the node of several hosts closes each engine once
        boolean first = isFirstToClose();
        EndSteps.all(closeBegins);
    }

    private boolean isFirstToClose() {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            closer = first ? Thread.currentThread() : closer;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the running turns until the deadline, then interrupts them. */
    public void interrupt(long deadlineNanos) {
        EndSteps.each(interrupts, each -> each.accept(deadlineNanos));
    }

    /**
     * Waits for interrupted loops until the deadline.
     *
     * @param ended gets the queues that have ended
     */
    public void end(long deadlineNanos, QueueLoops.Ended ended) {
        EndSteps.all(List.of(
                () -> loops.close(() -> left(deadlineNanos), ended),
                () -> close(ownership, deadlineNanos),
                () -> close(purging, deadlineNanos)));
    }

    /** Returns the last step of its close. */
    public NodeFinish finish() {
        return finish;
    }

    /**
     * Waits for the end of a close that another thread began, or that a handler began, which cannot wait for itself.
     * Returns at once in code of the user that the engine calls: that close may wait for this code. An interrupt ends
     * the wait, and is restored.
     */
    public void awaitClosed() {
        if (UserCode.isRunning() || (Thread.currentThread() == closer && !finish.isOver())) {
            return;
        }
        long deadline = clock.nanoTime()
                + closeTimeout.plus(AFTER_INTERRUPT).plus(finish.longest()).toNanos();
        loops.interrupt(() -> left(deadline));
        try {
            finish.awaitEnd(left(deadline));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(Clock.@Nullable Loop loop, long deadlineNanos) {
        if (loop != null) {
            loop.close(left(deadlineNanos));
        }
    }

    private Duration left(long deadlineNanos) {
        return Duration.ofNanos(Math.max(0, deadlineNanos - clock.nanoTime()));
    }
}

package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.loop.ServedQueue;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.Errors;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a node's close, with all calls of the store that closing makes: it writes open outcomes, gives the shards
 * back, and takes the last steps of other parts. It runs in a thread of its own, so that a store that hangs does not
 * delay the thread that closes. Thread-safe.
 */
public final class NodeFinish {
    private static final Logger LOG = LoggerFactory.getLogger(NodeFinish.class);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Clock clock;
    private final Duration longest;
    private final ShardOwner owner;
    private final List<Runnable> steps;
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * Creates the last step of a node.
     *
     * @param steps what it does after it has given the shards back, in this order; each may call the store
     */
    NodeFinish(Clock clock, Duration closeTimeout, ShardOwner owner, List<Runnable> steps) {
        this.clock = clock;
        this.owner = owner;
        this.steps = List.copyOf(steps);
        longest = closeTimeout.compareTo(SHORTEST) < 0
                ? SHORTEST
                : closeTimeout.compareTo(LONGEST) < 0 ? closeTimeout : LONGEST;
    }

    /** Returns how long the node waits for it. */
    public Duration longest() {
        return longest;
    }

    /**
     * Begins to settle the queues that have ended, and to give their shards back. If no thread can be started for that,
     * this thread does it: then only the store limits how long it takes.
     */
    public Future<?> begin(QueueLoops.Ended ended) {
        try {
            return clock.run("duetime-close", () -> work(ended));
        } catch (RuntimeException | Error e) {
            // No memory for a thread, or the user's thread factory has failed.
            UserCode.rethrowFatal(e);
            FutureTask<?> here = new FutureTask<>(Executors.callable(() -> work(ended)));
            here.run();
            return here;
        }
    }

    private void work(QueueLoops.Ended ended) {
        AtomicBoolean answers = new AtomicBoolean(true);
        EndSteps.all(List.of(
                () -> EndSteps.each(ended.inPart(), ServedQueue::finishUnawaited),
                () -> EndSteps.each(ended.whole(), queue -> finish(queue, answers)),
                () -> EndSteps.all(steps),
                owner::close));
    }

    /** A store that is away answers no sooner for the next queue. */
    private static void finish(ServedQueue queue, AtomicBoolean answers) {
        if (answers.get()) {
            answers.set(queue.finish());
        }
    }

    /**
     * Waits until what has begun is done, at most until the deadline. An interrupt does not shorten the wait, and is
     * restored.
     */
    public void await(Future<?> begun, long deadlineNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    begun.get(Math.max(0, deadlineNanos - clock.nanoTime()), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    LOG.warn(
                            "the store has not answered within {} while this node closed: its shards come free with"
                                    + " their leases, and what is not settled is delivered again",
                            longest);
                    return;
                } catch (ExecutionException e) {
                    throw Errors.unchecked(Errors.cause(e));
                }
            }
        } finally {
            over.countDown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether the thread that closes no longer waits for it. */
    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Waits until the thread that closes no longer waits for it, at most for the given time. */
    void awaitEnd(Duration limit) throws InterruptedException {
        @SuppressWarnings("unused") // after that time there is nothing else to do
        boolean inTime = over.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }
}

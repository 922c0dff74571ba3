package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.settle.OutcomeWriter;
import dev.duetime.engine.settle.OutcomeWriter.Left;
import dev.duetime.engine.settle.OutcomeWriter.Written;
import dev.duetime.engine.settle.SetAside;
import dev.duetime.internal.Micros;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settler of a todo queue. In its own loop it writes the outcomes of todos that ran, in batches. The loop that
 * reads runs at the same time, and neither waits for the other's statements. When the store fails, the settler leaves
 * the next attempt to the queue's loop, which knows how to back off. Thread-safe.
 */
final class TodoSettler implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(TodoSettler.class);

    private final TodoNode node;
    private final TodoBuffer buffer;
    private final OutcomeWriter writer;
    private final ReentrantLock settling = new ReentrantLock();

    // Mutable state, guarded by settling: what cannot be written now.
    private final SetAside aside;
    private final Map<TimerKey, DoneTodo> waiting = new HashMap<>();

    /**
     * The keys of outcomes for which no shard is kept: they have waited long, or the node closes. Written by the
     * settling thread.
     */
    private volatile Set<TimerKey> keepingNoShard = Set.of();

    private volatile boolean failed;
    private volatile boolean closed;
    private volatile Clock.@Nullable Loop loop;

    TodoSettler(TodoNode node, TodoBuffer buffer) {
        this.node = node;
        this.buffer = buffer;
        writer = new OutcomeWriter(node.store(), node.clock());
        aside = new SetAside(node.queue().name(), node.inFlight());
    }

    void start(String name) {
        loop = node.clock().start(name, this);
        wake();
    }

    /**
     * Makes the settler write all open outcomes, also those that it left after a failure. Once the settler is closed,
     * the calling worker writes them itself: its run has outlasted the close.
     */
    void wake() {
        if (closed) {
            runHere();
        } else {
            wakeLoop();
        }
    }

    private void wakeLoop() {
        Clock.Loop started = loop;
        if (started != null) {
            started.wakeAt(node.clock().now());
        }
    }

    /**
     * Settles on a worker's thread, without its interrupt flag: its run may have been interrupted, and some stores fail
     * then.
     */
    private void runHere() {
        boolean interrupted = Thread.interrupted();
        try {
            run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the settler before any outcome is open. It can be started again. */
    void undoStart() {
        Clock.Loop started = loop;
        if (started != null) {
            started.close(Duration.ZERO);
        }
        loop = null;
    }

    /** Waits for the batch under way, at most for the given time. Returns whether it was written or has failed. */
    boolean close(Duration left) {
        closed = true;
        Clock.Loop started = loop;
        return started == null || started.close(left);
    }

    @Override
    public Instant run() {
        LogContext context = LogContext.of(node.queue().name());
        try {
            if (!failed || closed) {
                settle();
            }
        } catch (StoreException e) {
            LOG.debug(
                    "outcomes of queue {} are not written down yet",
                    node.queue().name(),
                    ErrorText.traceOf(e));
        } finally {
            if (failed) {
                // The queue's loop retries, and reports the failure.
                buffer.wakeLoop();
            }
            context.close();
        }
        // After a failure the queue's loop retries, and then wakes this one.
        return failed ? Instant.MAX : nextTry();
    }

    /** It wakes the loops that have work then. */
    @Override
    public Instant idleUntil() {
        return failed ? Instant.MIN : node.clock().now();
    }

    /** Returns when to retry outcomes that could not be written. */
    private Instant nextTry() {
        if (!settling.tryLock()) {
            return Instant.MAX;
        }
        try {
            long nanos = aside.nanosToNextTry(node.clock().nanoTime());
            return nanos == Long.MAX_VALUE
                    ? Instant.MAX
                    : Micros.ceil(node.clock().now().plusNanos(nanos));
        } finally {
            settling.unlock();
        }
    }

    /** Returns whether the last batch could not be written, so that another thread has to retry. */
    boolean hasFailed() {
        return failed;
    }

    /**
     * Settles all open outcomes. While another thread settles, it returns at once: a thread that hangs in the store
     * must not delay a close. A next step runs here only if its whole batch was written. Otherwise the todo is read
     * again.
     *
     * @throws StoreException if the store fails; open outcomes stay open
     */
    void settle() {
        do {
            if (!settling.tryLock()) {
                return;
            }
            try {
                List<DoneTodo> done = buffer.takeDone();
                if (!done.isEmpty()) {
                    settle(done);
                }
                again(closed ? aside.all() : aside.due(node.clock().nanoTime()));
                keepingNoShard = Set.copyOf(
                        closed
                                ? waiting.keySet()
                                : aside.longWaiting(node.clock().nanoTime()));
                if (failed) {
                    succeeded();
                }
            } finally {
                settling.unlock();
            }
            // A thread that found the lock taken has left its outcome to this one, since no loop runs any more.
        } while (closed && buffer.hasDone());
    }

    /** Lets the settler write again, from now on. */
    private void succeeded() {
        failed = false;
        boolean woken = false;
        try {
            wakeLoop();
            woken = true;
        } finally {
            if (!woken) {
                failed = true;
            }
        }
    }

    /** Returns the keys of outcomes for which this node does not keep their shards. Called by any thread. */
    Set<TimerKey> keepingNoShard() {
        return keepingNoShard;
    }

    private void settle(List<DoneTodo> done) {
        Written written;
        try {
            written = writer.write(done.stream().map(DoneTodo::settlement).toList());
        } catch (RuntimeException | Error e) {
            failed = true;
            buffer.putBack();
            throw e;
        }
        List<DoneTodo> over = settled(done, written);
        buffer.settledTaken(over);
        forget(over);
    }

    private void again(List<Settlement> outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        List<DoneTodo> done = outcomes.stream()
                .map(each -> Objects.requireNonNull(waiting.get(each.key())))
                .toList();
        long began = node.clock().nanoTime();
        Written written;
        try {
            written = writer.writeUnlocked(outcomes, closed);
        } catch (RuntimeException | Error e) {
            failed = true;
            throw e;
        }
        List<DoneTodo> over = settled(done, written);
        buffer.settled(over);
        forget(over);
        aside.retried(written.left().size(), began, node.clock().nanoTime());
    }

    /** Forgets what was set aside. Only then does nobody repeat what a full heap broke off. */
    private void forget(List<DoneTodo> over) {
        for (DoneTodo each : over) {
            aside.remove(each.settlement());
            waiting.remove(each.settlement().key());
        }
    }

    private Left kept(Left each) {
        DoneTodo todo = Objects.requireNonNull(waiting.get(each.outcome().key()));
        return new Left(todo.settlement(), each.refusal());
    }

    /** Returns those of the todos that are settled or overtaken; the others wait. */
    private List<DoneTodo> settled(List<DoneTodo> done, Written written) {
        Set<TimerKey> left =
                written.left().stream().map(each -> each.outcome().key()).collect(Collectors.toSet());
        List<DoneTodo> over = new ArrayList<>(done.size());
        List<DoneTodo> notOver = new ArrayList<>(left.size());
        for (DoneTodo each : done) {
            if (left.contains(each.settlement().key())) {
                // Its next step is read again, not run here: this outcome may be ended twice after a full heap.
                DoneTodo kept = each.kept();
                waiting.put(each.settlement().key(), kept);
                notOver.add(kept);
            } else {
                over.add(each);
            }
        }
        aside.add(written.left().stream().map(this::kept).toList(), node.clock().nanoTime());
        buffer.setAside(notOver);
        node.inFlight().settled(over.stream().map(DoneTodo::settlement).toList());
        int overtaken = over.size() - written.count();
        if (overtaken == 0) {
            return over;
        }
        node.listeners().overtaken(node.queue().name(), overtaken);
        buffer.readAll();
        return over.stream().map(DoneTodo::stopped).toList();
    }
}

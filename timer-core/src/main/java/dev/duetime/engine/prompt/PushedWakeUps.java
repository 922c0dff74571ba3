package dev.duetime.engine.prompt;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.internal.EndSteps;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints that the store pushes to this node. Each turn waits for some. If the store cannot push, or has failed, the
 * node polls for hints meanwhile. Run by one thread, except {@link #isReceiving} and {@link #close}.
 */
final class PushedWakeUps implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(PushedWakeUps.class);

    /** How long a turn waits: a node that closes waits for its end. */
    private static final Duration TURN = Duration.ofMillis(100);

    /** How long to leave a store alone that has failed. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    /** How soon to ask again whether the store pushes. The store decides how often it tries. */
    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(10);

    private final WakeUps wakeUps;
    private final Clock clock;
    private final Consumer<WakeUp> received;
    private final Runnable changed;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock; any thread reads the volatile field.
    private volatile WakeUps.@Nullable Receiver receiver;
    private boolean closed;

    /**
     * Creates the receiver of a node.
     *
     * @param received called with each hint
     * @param changed called after {@link #isReceiving} has changed
     */
    PushedWakeUps(WakeUps wakeUps, Clock clock, Consumer<WakeUp> received, Runnable changed) {
        this.wakeUps = wakeUps;
        this.clock = clock;
        this.received = received;
        this.changed = changed;
    }

    /** Returns whether hints arrive without being asked for. */
    boolean isReceiving() {
        return receiver != null;
    }

    @Override
    public Instant run() {
        WakeUps.Receiver open = receiver;
        try {
            if (open == null) {
                return open();
            }
            long began = clock.nanoTime();
            List<WakeUp> hints = open.await(TURN);
            // An error in one of them does not lose the others.
            EndSteps.each(hints, received);
            // A receiver that does not wait must not keep the thread busy.
            Duration left = TURN.minusNanos(clock.nanoTime() - began);
            return hints.isEmpty() && !left.isNegative() ? clock.now().plus(left) : clock.now();
        } catch (StoreException e) {
            LOG.debug("the store pushes no hints for now; this node polls for them: {}", ErrorText.of(e));
            end();
            return clock.now().plus(AFTER_FAILURE);
        }
    }

    private Instant open() {
        Optional<WakeUps.Receiver> opened = wakeUps.receive();
        if (opened.isEmpty()) {
            return clock.now().plus(AFTER_REFUSAL);
        }
        lock.lock();
        try {
            if (closed) {
                opened.get().close();
                return Instant.MAX;
            }
            receiver = opened.get();
        } finally {
            lock.unlock();
        }
        changed.run();
        return clock.now();
    }

    private void end() {
        lock.lock();
        try {
            WakeUps.Receiver open = receiver;
            receiver = null;
            if (open != null) {
                open.close();
            }
        } finally {
            lock.unlock();
            changed.run();
        }
    }

    /** Ends the receiver. Nothing arrives any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        end();
    }
}

package dev.duetime.engine.loop;

import dev.duetime.admin.QueuePause;
import dev.duetime.engine.report.Listeners;
import dev.duetime.internal.Printable;
import dev.duetime.internal.UserCode;
import dev.duetime.store.NextDue;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's pause of a queue, as its loop read it or as an operator set it on this node. Each change runs an
 * action, and goes to the log and to the listeners. If an error breaks that off, the next read repeats it. Thread-safe.
 */
public final class PauseFlag {
    private static final Logger LOG = LoggerFactory.getLogger(PauseFlag.class);

    private final String queue;
    private final Listeners listeners;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Runnable whenChanged = () -> {};

    // Mutable state, written under lock.
    private volatile @Nullable QueuePause pause;
    private long changes;

    /** How often the pause has changed, and how many of these changes the action has been run for. */
    private long version;

    private long appliedVersion;

    /** The pause that was reported last. */
    private volatile @Nullable QueuePause reported;

    public PauseFlag(String queue, Listeners listeners) {
        this.queue = queue;
        this.listeners = listeners;
    }

    /** Sets the action to run after each change, or again if that broke off. Must be called before the first change. */
    public void whenChanged(Runnable action) {
        whenChanged = action;
    }

    /** Reads when the next timer is due, and whether the queue is paused. */
    NextDue read(Supplier<NextDue> store) {
        long before = changes();
        NextDue read = store.get();
        note(read.pause(), before);
        return read;
    }

    /** Takes an answer that was read beside the loop, after so many changes. Returns it. */
    NextDue read(NextDue answer, long changesBefore) {
        note(answer.pause(), changesBefore);
        return answer;
    }

    /** Notes a change by an operator on this node, after the store has it. */
    void set(@Nullable QueuePause now) {
        note(now, -1);
    }

    /**
     * Notes whether the queue is paused.
     *
     * @param before how many changes there had been before the read began: a later change makes the read outdated;
     *     negative for a change
     */
    private void note(@Nullable QueuePause now, long before) {
        lock.lock();
        try {
            if (before >= 0 && changes != before) {
                return;
            }
            changes += before < 0 ? 1 : 0;
            version += Objects.equals(pause, now) ? 0 : 1;
            pause = now;
        } finally {
            lock.unlock();
        }
        apply();
        if (reportChange() && before >= 0) {
            UserCode.clearInterrupt(); // A listener may have left it behind, and this is a loop's thread.
        }
    }

    /** Runs the action, unless it has run since the last change. */
    private void apply() {
        long current;
        lock.lock();
        try {
            current = version;
            if (current == appliedVersion) {
                return;
            }
        } finally {
            lock.unlock();
        }
        whenChanged.run();
        lock.lock();
        try {
            appliedVersion = Math.max(appliedVersion, current);
        } finally {
            lock.unlock();
        }
    }

    /** Reports the pause, unless it was reported. Returns whether it was reported now. */
    private boolean reportChange() {
        QueuePause former;
        QueuePause now;
        lock.lock();
        try {
            former = reported;
            now = pause;
            if (Objects.equals(former, now)) {
                return false;
            }
            reported = now;
        } finally {
            lock.unlock();
        }
        boolean whole = false;
        try {
            report(former, now);
            whole = true;
        } finally {
            if (!whole) {
                reported = former;
            }
        }
        return true;
    }

    private void report(@Nullable QueuePause former, @Nullable QueuePause now) {
        if (now != null) {
            LOG.info(
                    "queue {} has been paused since {} by node {}{}{}; this node delivers none of its timers",
                    queue,
                    now.since(),
                    Printable.line(now.nodeId()),
                    now.operator() == null ? "" : ", operator " + Printable.line(now.operator()),
                    now.reason() == null ? "" : ", because: " + Printable.line(now.reason()));
        } else {
            LOG.info("queue {} is resumed; this node delivers its timers again", queue);
        }
        if ((former == null) != (now == null)) {
            listeners.paused(queue, now != null);
        }
    }

    /** Returns how often an operator on this node has paused or resumed the queue. */
    long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    QueuePause pause() {
        return pause;
    }

    public boolean isPaused() {
        return pause != null;
    }
}

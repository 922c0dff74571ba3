package dev.duetime.engine.loop;

import dev.duetime.admin.QueuePause;
import dev.duetime.engine.report.Listeners;
import dev.duetime.store.NextDue;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether a queue is paused, as its loop read with what it reads anyway, or as was told on this node. Tells the log and
 * listeners of each change. Thread-safe.
 */
public final class PauseFlag {
    private static final Logger LOG = LoggerFactory.getLogger(PauseFlag.class);

    private final String queue;
    private final Listeners listeners;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, written under lock.
    private volatile @Nullable QueuePause pause;
    private long changes;

    public PauseFlag(String queue, Listeners listeners) {
        this.queue = queue;
        this.listeners = listeners;
    }

    /** Reads, and notes what was read. */
    NextDue read(Supplier<NextDue> store) {
        long before = changes();
        NextDue read = store.get();
        note(read.pause(), before);
        return read;
    }

    /** Notes what was done on this node, once the store has it. */
    public void told(@Nullable QueuePause now) {
        note(now, -1);
    }

    /**
     * Notes whether it is paused.
     *
     * @param before how many changes there had been when it was read, which a later change outdates; negative if it is a change
     */
    private void note(@Nullable QueuePause now, long before) {
        QueuePause former;
        lock.lock();
        try {
            if (before >= 0 && changes != before) {
                return;
            }
            changes += before < 0 ? 1 : 0;
            former = pause;
            pause = now;
        } finally {
            lock.unlock();
        }
        if (!Objects.equals(former, now)) {
            tell(former, now);
        }
    }

    private void tell(@Nullable QueuePause former, @Nullable QueuePause now) {
        if (now != null) {
            LOG.info(
                    "queue {} is paused since {} by node {}: this node delivers nothing of it",
                    queue,
                    now.since(),
                    now.nodeId());
        } else {
            LOG.info("queue {} is resumed: this node delivers it again", queue);
        }
        if ((former == null) != (now == null)) {
            listeners.paused(queue, now != null);
        }
    }

    private long changes() {
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

package dev.duetime.jdbc.internal.write;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The decision whether a batch of timers is inserted as if all of them were new. That is cheaper than an upsert, but a
 * single key that exists makes it fail, and then the upsert runs besides. So after a failure, batches are not inserted
 * for a while, which doubles with each failure that follows. Thread-safe.
 */
final class InsertAttempts {
    /** Smaller batches come from callers that share a commit: one of them would make the insert of all fail. */
    static final int FEWEST = 100;

    /** How many batches are not inserted after a failure, so that failures cost at most a few percent. */
    static final int SHORTEST_PAUSE = 16;

    static final int LONGEST_PAUSE = 1_024;

    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger pause = new AtomicInteger(SHORTEST_PAUSE);

    /** Returns whether to insert a batch of so many timers. Counts the batch if not. */
    boolean begin(int timers) {
        return timers >= FEWEST && left.getAndUpdate(batches -> Math.max(0, batches - 1)) == 0;
    }

    /** Notes that the keys of a batch were new. */
    void succeeded() {
        pause.set(SHORTEST_PAUSE);
    }

    /** Notes that a key existed. Failures of batches that began at the same moment count once. */
    void failed() {
        if (left.compareAndSet(0, pause.get())) {
            pause.updateAndGet(batches -> Math.min(LONGEST_PAUSE, 2 * batches));
        }
    }
}

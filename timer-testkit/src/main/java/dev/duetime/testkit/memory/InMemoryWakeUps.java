package dev.duetime.testkit.memory;

import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** The hints between nodes, in memory. They are not pushed. Thread-safe: one lock. */
final class InMemoryWakeUps implements WakeUps {
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Map<String, Sent> sent = new TreeMap<>();

    /** Read without the lock. */
    private final AtomicLong changes = new AtomicLong();

    /** Returns how often hints were sent. */
    long changes() {
        return changes.get();
    }

    @Override
    public boolean areKept() {
        return true;
    }

    @Override
    public void send(Collection<WakeUp> wakeUps) {
        lock.lock();
        try {
            changes.incrementAndGet();
            wakeUps.forEach(each -> sent.merge(
                    each.queue(),
                    new Sent(each.queue(), 1, each.dueAt()),
                    (before, first) -> new Sent(each.queue(), before.count() + 1, each.dueAt())));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Sent> sent() {
        lock.lock();
        try {
            return List.copyOf(sent.values());
        } finally {
            lock.unlock();
        }
    }
}

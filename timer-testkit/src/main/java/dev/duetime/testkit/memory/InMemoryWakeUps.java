package dev.duetime.testkit.memory;

import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** The hints between nodes, in memory. They are not pushed. Thread-safe: one lock. */
final class InMemoryWakeUps implements WakeUps {
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Map<String, Sent> sent = new TreeMap<>();

    @Override
    public boolean areKept() {
        return true;
    }

    @Override
    public void send(Collection<WakeUp> wakeUps) {
        lock.lock();
        try {
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

package dev.duetime.testkit.memory;

import dev.duetime.store.Permits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The shares of nodes in limits, in memory. Thread-safe: one lock. */
final class InMemoryPermits implements Permits {
    private static final Comparator<Limit> ORDER =
            Comparator.comparing(Limit::queue).thenComparing(Limit::name);

    private final ReentrantLock lock = new ReentrantLock();

    /** How often the ledgers of each queue were written. Read without the lock. */
    private final Map<String, Long> changesByQueue = new ConcurrentHashMap<>();

    // Mutable state, guarded by lock.
    private final Map<Limit, Ledger> ledgers = new TreeMap<>(ORDER);

    /** Returns how often the ledgers of a queue were written. */
    long changes(String queue) {
        return changesByQueue.getOrDefault(queue, 0L);
    }

    /** Returns how often any ledger was written. */
    long changes() {
        return changesByQueue.values().stream().mapToLong(each -> each).sum();
    }

    @Override
    public List<Ledger> ledgers() {
        lock.lock();
        try {
            return List.copyOf(ledgers.values());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<Limit> change(Collection<Change> changes) {
        lock.lock();
        try {
            Set<Limit> written = new HashSet<>();
            for (Change each : changes) {
                Ledger before = ledgers.get(each.limit());
                if (each.version() == (before == null ? UNWRITTEN : before.version())) {
                    List<Share> shares = new ArrayList<>(before == null ? List.of() : before.shares());
                    Share own = each.share();
                    shares.removeIf(share -> each.removed().contains(share.node())
                            || (own != null && own.node().equals(share.node())));
                    if (own != null) {
                        shares.add(own);
                    }
                    shares.sort(Comparator.comparing(Share::node));
                    ledgers.put(
                            each.limit(),
                            new Ledger(each.limit(), each.version() + 1, each.freeSince(), shares, each.levels()));
                    written.add(each.limit());
                    changesByQueue.merge(each.limit().queue(), 1L, Long::sum);
                }
            }
            return written;
        } finally {
            lock.unlock();
        }
    }
}

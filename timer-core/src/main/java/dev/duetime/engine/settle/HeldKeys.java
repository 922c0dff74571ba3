package dev.duetime.engine.settle;

import dev.duetime.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The correlation keys that other transactions were seen to hold. A worker that waits for one waits in vain most of the
 * time, and runs nothing else meanwhile. So for some seconds no worker tries to write for such a key. Thread-safe.
 */
public final class HeldKeys {
    private static final long REST_NANOS = Duration.ofSeconds(5).toNanos();

    /** Bounds memory; beyond it, the key that was met longest ago is forgotten. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock: when each key may be tried again, by nanoTime.
    private final Map<String, Long> triedAgainAtNanos = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };
    private long waitsAgainAtNanos;

    /** Creates an empty set. */
    public HeldKeys(Clock clock) {
        this.clock = clock;
        waitsAgainAtNanos = clock.nanoTime();
    }

    /** Returns whether a write for these keys may be tried. If some were held before, this is the next try for them. */
    public boolean mayTry(Set<String> keys) {
        lock.lock();
        try {
            if (triedAgainAtNanos.isEmpty()) {
                return true;
            }
            long now = clock.nanoTime();
            for (String key : keys) {
                Long at = triedAgainAtNanos.get(key);
                if (at != null && now - at < 0) {
                    return false;
                }
            }
            keys.forEach(key -> triedAgainAtNanos.computeIfPresent(key, (same, at) -> now + REST_NANOS));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether a try for these keys may wait for long: not for a key that was held before. Several keys are not
     * remembered, so for them nobody must have waited in vain in the last seconds.
     */
    public boolean mayWait(Set<String> keys) {
        lock.lock();
        try {
            return keys.size() == 1
                    ? Collections.disjoint(triedAgainAtNanos.keySet(), keys)
                    : clock.nanoTime() - waitsAgainAtNanos >= 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes that another transaction was in the way of a write for these keys. Of several keys it is not known which
     * one is held.
     */
    public void met(Set<String> keys) {
        lock.lock();
        try {
            long now = clock.nanoTime();
            waitsAgainAtNanos = now + REST_NANOS;
            if (keys.size() != 1) {
                return;
            }
            for (String key : keys) {
                triedAgainAtNanos.remove(key);
                triedAgainAtNanos.put(key, now + REST_NANOS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a write for these keys has succeeded. */
    public void free(Set<String> keys) {
        lock.lock();
        try {
            if (!triedAgainAtNanos.isEmpty()) {
                keys.forEach(triedAgainAtNanos::remove);
            }
        } finally {
            lock.unlock();
        }
    }
}

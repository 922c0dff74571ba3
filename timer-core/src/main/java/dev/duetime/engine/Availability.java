package dev.duetime.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that something is away, however many loops notice, and once that it is back: when the last of them got through.
 * Thread-safe.
 */
final class Availability {
    private static final Logger LOG = LoggerFactory.getLogger(Availability.class);

    private final String what;
    private final Listeners listeners;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Set<Outage> open = new HashSet<>();
    private Instant since = Instant.MIN;
    private long failures;

    Availability(String what, Listeners listeners) {
        this.what = what;
        this.listeners = listeners;
    }

    void failed(Outage outage, Throwable cause, Instant now) {
        boolean first;
        lock.lock();
        try {
            first = open.isEmpty();
            open.add(outage);
            failures++;
            since = first ? now : since;
        } finally {
            lock.unlock();
        }
        if (first) {
            LOG.warn("{} is unavailable, nothing is lost, trying on: {}", what, ErrorText.of(cause));
            LOG.debug("{} failed", what, ErrorText.traceOf(cause));
            listeners.outageBegan(what, cause);
        }
    }

    void over(Outage outage, Instant now) {
        long failed;
        Duration lasted;
        lock.lock();
        try {
            if (!open.remove(outage) || !open.isEmpty()) {
                return;
            }
            failed = failures;
            failures = 0;
            lasted = Duration.between(since, now);
        } finally {
            lock.unlock();
        }
        LOG.info("{} is back after {} and {} failures", what, lasted, failed);
        listeners.outageOver(what, lasted);
    }

    /** Returns whether others than this one wait for it. */
    boolean isSharedBy(Outage outage) {
        lock.lock();
        try {
            return open.size() > (open.contains(outage) ? 1 : 0);
        } finally {
            lock.unlock();
        }
    }
}

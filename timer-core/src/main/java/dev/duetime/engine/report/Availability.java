package dev.duetime.engine.report;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The availability of a store or a publisher, as all loops of a node see it. The log reports once that it is
 * unavailable, however many loops notice, and once that it is back, when the last of them got through. Thread-safe.
 */
public final class Availability {
    /** The name of the store in outages and logs: all loops need it, and its outage is reported once. */
    public static final String STORE = "store";

    private static final Logger LOG = LoggerFactory.getLogger(Availability.class);

    /**
     * An outage that begins within this time after the last one is reported only if it lasts. One timer that fails now
     * and then would otherwise cause a report each second.
     */
    private static final Duration RECENT = Duration.ofMinutes(10);

    private static final Duration LASTS = Duration.ofMinutes(1);

    private final String what;
    private final Listeners listeners;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Set<Outage> open = new HashSet<>();
    private Instant since = Instant.MIN;
    private long failures;
    private boolean isReported;
    private Instant reportedAt = Instant.MIN;

    Availability(String what, Listeners listeners) {
        this.what = what;
        this.listeners = listeners;
    }

    void failed(Outage outage, Throwable cause, Instant now) {
        boolean reports;
        lock.lock();
        try {
            boolean first = open.isEmpty();
            open.add(outage);
            failures++;
            since = first ? now : since;
            reports = !isReported && (!isRecent(now) || !now.isBefore(since.plus(LASTS)));
            isReported |= reports;
            reportedAt = reports ? now : reportedAt;
        } finally {
            lock.unlock();
        }
        if (reports) {
            LOG.warn("{} is unavailable; retrying, no timer is lost: {}", what, ErrorText.of(cause));
            LOG.debug("{} failed", what, ErrorText.traceOf(cause));
            listeners.outageBegan(what, cause);
        }
    }

    void over(Outage outage, Instant now) {
        long failed;
        Duration lasted;
        boolean wasReported;
        lock.lock();
        try {
            if (!open.remove(outage) || !open.isEmpty()) {
                return;
            }
            failed = failures;
            failures = 0;
            lasted = Duration.between(since, now);
            wasReported = isReported;
            isReported = false;
        } finally {
            lock.unlock();
        }
        if (!wasReported) {
            return;
        }
        LOG.info("{} is back after {} and {} failures", what, lasted, failed);
        listeners.outageOver(what, lasted);
    }

    /** Returns whether an outage was reported a short while ago, or the time has been set back since. */
    private boolean isRecent(Instant now) {
        return !reportedAt.equals(Instant.MIN) && now.isBefore(reportedAt.plus(RECENT));
    }

    /** Returns whether other loops wait for it, too. */
    boolean isSharedBy(Outage outage) {
        lock.lock();
        try {
            return open.size() > (open.contains(outage) ? 1 : 0);
        } finally {
            lock.unlock();
        }
    }
}

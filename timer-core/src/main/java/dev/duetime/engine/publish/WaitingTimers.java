package dev.duetime.engine.publish;

import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.store.DueQuery.Exclusion;
import java.time.Instant;
import java.util.Set;

/** The due timers that wait for a permit or for the end of a call: reads leave them out. Used by the loop's thread. */
final class WaitingTimers {
    private final QueuePermits permits;
    private final ConcurrentCalls calls;

    /** Whether timers that waited for permits are to be read again. */
    private boolean permitsReady;

    WaitingTimers(QueuePermits permits, ConcurrentCalls calls) {
        this.permits = permits;
        this.calls = calls;
    }

    /** Returns what a read leaves out now. */
    Exclusion leftOut() {
        Set<String> types = permits.blockedTypes();
        Set<String> tenants = permits.blockedTenants();
        calls.slow().addLeftOut(types, tenants);
        return new Exclusion(calls.keys().leftOut(), types, tenants, Integer.MAX_VALUE);
    }

    /** Returns whether a read now would leave out something that the last one has returned. */
    boolean areMoreThan(Exclusion but) {
        Exclusion now = leftOut();
        return !(but.parallelKeys().containsAll(now.parallelKeys())
                && but.types().containsAll(now.types())
                && but.tenants().containsAll(now.tenants()));
    }

    /**
     * Makes the next read include timers that waited for permits, if there may be some now. Returns when to try again.
     */
    Instant tryPermits(Instant now) {
        if (permits.takeReady()) {
            permitsReady = true;
            return now;
        }
        return permits.nextTry();
    }

    /** Takes the request to read timers again that waited for permits. */
    boolean takePermitsReady() {
        boolean ready = permitsReady;
        permitsReady = false;
        return ready;
    }
}

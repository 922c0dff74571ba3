package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.loop.LeftKeys;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The due timers that wait for a permit or for the end of a call: reads leave them out, and later timers of their
 * parallel keys. Used by the loop's thread.
 */
final class WaitingTimers {
    private final QueuePermits permits;
    private final ConcurrentCalls calls;
    private final LeftKeys keys = new LeftKeys();

    /** The types and tenants that the last read was to leave out. */
    private Exclusion leftOut = Exclusion.NONE;

    /** Whether the last read left out no type or tenant, so that more parallel keys are known. */
    private boolean learns;

    /** Whether it was one behind a read full of poison. */
    private boolean isBehind;

    /** Up to where the last read returned all timers. */
    private Instant end = Instant.MIN;

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
        Set<String> waiting = calls.keys().leftOut();
        waiting.addAll(keys.of(types, tenants));
        return new Exclusion(waiting, types, tenants, Integer.MAX_VALUE);
    }

    /**
     * Begins a read that is to leave this out. It returns all other timers that were left, in order.
     *
     * @return what it leaves out
     */
    Exclusion beginRead(Exclusion but) {
        isBehind = false;
        keys.retain(but.types(), but.tenants());
        if (!leftOut.types().containsAll(but.types()) || !leftOut.tenants().containsAll(but.tenants())) {
            keys.knownAtMostTo(end);
        }
        leftOut = but;
        end = Instant.MIN;
        learns = keys.areWanted();
        return learns ? new Exclusion(but.parallelKeys(), Set.of(), Integer.MAX_VALUE) : but;
    }

    /** Returns whether this read makes more parallel keys known. */
    boolean learns() {
        return learns;
    }

    /** Returns from when on such a read reads. */
    Instant learnsFrom() {
        return keys.learn();
    }

    /** Returns whether timers wait until more parallel keys are known. */
    boolean areKeysWanted() {
        return keys.areWanted();
    }

    private boolean leavesOut() {
        return !leftOut.types().isEmpty() || !leftOut.tenants().isEmpty();
    }

    /** Returns whether a timer that was read must not be published now, to keep the order. */
    boolean mustWait(StoredTimer timer) {
        boolean isLeftOut = leftOut.types().contains(timer.content().type())
                || leftOut.tenants().contains(timer.key().tenantId());
        if (learns && isLeftOut) {
            keys.add(timer);
            return true;
        }
        return keys.mustWait(timer, !learns && !isBehind && leavesOut());
    }

    /** Makes the next read for parallel keys include a timer that is due at that time. */
    void announced(Instant dueAt) {
        keys.knownAtMostTo(dueAt);
    }

    /** Adds the parallel keys of all timers that were left to what a read behind the others leaves out. */
    Exclusion behind(Exclusion but) {
        isBehind = true;
        learns = false;
        Set<String> all = keys.leftOut();
        all.addAll(but.parallelKeys());
        return new Exclusion(all, but.types(), but.tenants(), but.upTo());
    }

    /** Notes a read, up to a time, and the timers that were not published, in the order of their delivery. */
    void left(DueTimers read, Instant to, List<StoredTimer> timers) {
        timers.forEach(keys::add);
        if (isBehind) {
            return;
        }
        end = LeftKeys.endOf(read, to);
        if (learns) {
            keys.learned(end, read.more());
        } else if (!leavesOut()) {
            keys.knownTo(end);
        }
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

package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.LeftKeys;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.window.RestedRead;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
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
    private final LeftKeys keys;

    /** The read of timers that the last one has returned, too. */
    private final RestedRead again;

    /**
     * The types that the next read leaves out, though some of their timers may have permits by then. The last read was
     * full, and returned more of these types than could begin. They must not hide others, and take turns with them.
     */
    private Set<String> resting = Set.of();

    /** Whether timers that waited are to be read again. */
    private boolean readsAgain;

    WaitingTimers(QueuePermits permits, ConcurrentCalls calls, Clock clock) {
        this.permits = permits;
        this.calls = calls;
        keys = new LeftKeys(clock);
        again = new RestedRead(clock);
    }

    LeftKeys keys() {
        return keys;
    }

    /** Returns what a read leaves out now. */
    Exclusion leftOut() {
        Set<String> types = permits.blockedTypes();
        types.addAll(resting);
        Set<String> tenants = permits.blockedTenants();
        calls.slow().addLeftOut(types, tenants);
        Set<String> waiting = calls.keys().leftOut();
        waiting.addAll(keys.of(types, tenants));
        return new Exclusion(waiting, types, tenants, Integer.MAX_VALUE);
    }

    /**
     * Notes what a read has returned.
     *
     * @param refused the types of which more was read than could begin
     */
    void hasRead(Set<String> refused, boolean more) {
        // Their permits may have arrived already, and nothing would tell of these.
        readsAgain |= !more && permits.mayBeginSome(resting);
        resting = more ? refused : Set.of();
    }

    /** Adds the parallel keys of all timers that were left to what a read behind the others leaves out. */
    Exclusion behind(Exclusion but) {
        keys.beginBehind();
        Set<String> all = keys.leftOut();
        all.addAll(but.parallelKeys());
        return new Exclusion(all, but.types(), but.tenants(), but.upTo());
    }

    /** Returns the timers that may be published now: the others must wait to keep the order of their parallel keys. */
    List<StoredTimer> inOrder(List<StoredTimer> timers) {
        timers.stream().filter(keys::isOnlyLearnt).forEach(keys::add);
        return timers.stream().filter(each -> !keys.mustWait(each)).toList();
    }

    /** Returns whether a read now would leave out something that the last one has returned. */
    boolean areMoreThan(Exclusion but) {
        Exclusion now = leftOut();
        return !(but.parallelKeys().containsAll(now.parallelKeys())
                && but.types().containsAll(now.types())
                && but.tenants().containsAll(now.tenants()));
    }

    /**
     * Lets the loop read again after a rest.
     *
     * @param tookNanos how long its turn took
     */
    void readAfterRest(long tookNanos) {
        again.after(tookNanos);
    }

    /**
     * Makes the next read include timers that waited for permits, if there may be some now, or for parallel keys.
     * Returns when to try again.
     */
    Instant tryAgain(Instant now) {
        boolean isDue = keys.takeDue();
        if (permits.takeReady() || isDue || again.isDue()) {
            again.forget();
            readsAgain = true;
            return now;
        }
        return Times.earlier(again.next(now), Times.earlier(permits.nextTry(), keys.nextTurn()));
    }

    /** Takes the request to read timers again that waited. */
    boolean takeReadsAgain() {
        boolean reads = readsAgain;
        readsAgain = false;
        return reads;
    }
}

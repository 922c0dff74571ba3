package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.LeftKeys;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The due timers that wait for a permit or for the end of a call: reads leave them out, and later timers of their
 * parallel keys. Used by the loop's thread.
 */
final class WaitingTimers {
    /** Turns that read the same timers again have a quarter of the time. */
    private static final int REST = 3;

    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(10).toNanos();

    private final QueuePermits permits;
    private final ConcurrentCalls calls;
    private final LeftKeys keys;
    private final Clock clock;

    /** Whether the loop rests before it reads again, and until when. */
    private boolean rests;

    private long restUntilNanos;

    /** Whether timers that waited are to be read again. */
    private boolean readsAgain;

    WaitingTimers(QueuePermits permits, ConcurrentCalls calls, Clock clock) {
        this.permits = permits;
        this.calls = calls;
        this.clock = clock;
        keys = new LeftKeys(clock);
    }

    LeftKeys keys() {
        return keys;
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
        rests = true;
        restUntilNanos = clock.nanoTime() + Math.max(SHORTEST_REST_NANOS, REST * tookNanos);
    }

    /**
     * Makes the next read include timers that waited for permits, if there may be some now, or for parallel keys.
     * Returns when to try again.
     */
    Instant tryAgain(Instant now) {
        boolean isDue = keys.takeDue();
        long restNanos = rests ? restUntilNanos - clock.nanoTime() : Long.MAX_VALUE;
        if (permits.takeReady() || isDue || restNanos <= 0) {
            rests = false;
            readsAgain = true;
            return now;
        }
        Instant afterRest = rests ? Micros.ceil(now.plusNanos(restNanos)) : Instant.MAX;
        return Times.earlier(afterRest, Times.earlier(permits.nextTry(), keys.nextTurn()));
    }

    /** Takes the request to read timers again that waited. */
    boolean takeReadsAgain() {
        boolean again = readsAgain;
        readsAgain = false;
        return again;
    }
}

package dev.duetime.engine.shards;

import dev.duetime.Clock;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.engine.time.StoreClock;
import java.time.Duration;
import java.time.Instant;

/**
 * The times of a node's leases: when they end, when they are renewed, and when those of other nodes may be taken over.
 * They are counted by the monotonic clock, so that no jump of the store's time keeps the node from renewing. Used by
 * the thread of the ownership loop, except {@link #isValid} and {@link #validUntilNanos}, which are thread-safe.
 */
final class LeaseTimes {
    private static final int RENEWALS_A_LEASE = 3;

    /** Longer than any loop waits before it tries the store again. */
    private static final Duration AFTER_OUTAGE = Duration.ofSeconds(2);

    /** A node stops this part of its lease before the lease ends, so that running work has time to end. */
    private static final int STOPS_BEFORE = 20;

    private final Duration lease;
    private final Clock clock;

    // Mutable state of the loop's thread.
    private volatile long validUntilNanos;
    private long renewAtNanos;
    private long watchedUntilNanos;

    /**
     * Until then ended leases are left alone: after an outage of the store all have ended, and their owners come back.
     */
    private long takeLapsedAtNanos;

    LeaseTimes(Duration lease, Clock clock) {
        this.lease = lease;
        this.clock = clock;
        validUntilNanos = clock.nanoTime();
        renewAtNanos = validUntilNanos;
        takeLapsedAtNanos = validUntilNanos;
        watchedUntilNanos = validUntilNanos;
    }

    boolean isPast(long nanos) {
        return clock.nanoTime() - nanos >= 0;
    }

    /** Returns whether the leases of this node have not ended. */
    boolean isValid() {
        return !isPast(validUntilNanos);
    }

    /** Returns until when, by the monotonic clock, this node may deliver unless it renews its leases. */
    long validUntilNanos() {
        return validUntilNanos;
    }

    Duration lease() {
        return lease;
    }

    Duration renewEvery() {
        return Duration.ofNanos(lease.toNanos() / RENEWALS_A_LEASE);
    }

    /** Returns how long a lease must last so that the next renewal finds it, with the margin of a lease that ends. */
    Duration untilRenewedAgain() {
        return renewEvery().plusNanos(lease.toNanos() / STOPS_BEFORE);
    }

    /** Notes that the polls of queues show the leases of all nodes, too. */
    void watched() {
        watchedUntilNanos = clock.nanoTime() + 2 * renewEvery().toNanos();
    }

    /** Returns whether the polls of queues show a change of the leases soon. */
    boolean isWatched() {
        return !isPast(watchedUntilNanos);
    }

    long renewAtNanos() {
        return renewAtNanos;
    }

    boolean isTimeToRenew() {
        return isPast(renewAtNanos);
    }

    /** Returns whether shards may be taken whose lease has ended. */
    boolean mayTakeLapsed() {
        return isPast(takeLapsedAtNanos);
    }

    /**
     * Notes that the leases were renewed.
     *
     * @param atNanos when the renewal began
     * @param any whether there were leases to renew
     * @return whether they had ended before
     */
    boolean renewed(long atNanos, boolean any) {
        boolean hadEnded = !isValid();
        if (hadEnded && any) {
            takeLapsedAtNanos = atNanos + AFTER_OUTAGE.toNanos();
        }
        renewAtNanos = atNanos + renewEvery().toNanos();
        validUntilNanos = atNanos + validNanos();
        return hadEnded;
    }

    /** Returns how long after its renewal a lease counts, for this node. */
    private long validNanos() {
        long nanos = lease.toNanos();
        return nanos - nanos / STOPS_BEFORE - mostBehindNanos();
    }

    /** A clock that is behind writes leases that end, for the others, before this node has measured them out. */
    private long mostBehindNanos() {
        return clock instanceof StoreClock storeClock ? storeClock.mostBehindNanos() : 0;
    }

    /** A clock that is far behind, since the store was slow to answer, makes this node late and its leases short. */
    void improveClock() {
        if (clock instanceof StoreClock storeClock && storeClock.isFarBehind()) {
            storeClock.resample();
        }
    }

    /** Before a lease counts as ended or void, the time is read again: this node's may be the one that is wrong. */
    void readClockAgain() {
        if (clock instanceof StoreClock storeClock) {
            storeClock.resample();
        }
    }

    /**
     * Makes the times as if the renewals before now had been made; returns when the last one was, or MIN if none was.
     */
    Instant leaveOutRenewals() {
        long renewal = LeftOutTurns.last(renewAtNanos, renewEvery(), clock);
        if (renewal == Long.MIN_VALUE) {
            return Instant.MIN;
        }
        renewAtNanos = renewal + renewEvery().toNanos();
        validUntilNanos = renewal + validNanos();
        return LeftOutTurns.at(renewal, clock);
    }
}

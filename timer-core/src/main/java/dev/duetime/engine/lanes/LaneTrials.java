package dev.duetime.engine.lanes;

import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SlowLanes.MadeCall;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * What the trials of suspected lanes cost, and when they rest. A publisher may take long for every call, or for every
 * call with many timers. Then no lane is to be found, and calls of a single timer would only cost throughput. Used by
 * one thread.
 */
final class LaneTrials {
    /** If so many lanes were slow and none was quick, all count as slow. */
    private static final int ALL_SLOW = 8;

    /** What the trials of a minute may cost if they find no slow lane. */
    private static final long MOST_COST_NANOS = Duration.ofSeconds(5).toNanos();

    /** How long trials may last while no quick lane is present, how long they rest, and for how long costs count. */
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    /** With trials so seldom, a publisher that takes long for every call loses little. */
    private static final long LONGEST_REST_NANOS = Duration.ofMinutes(10).toNanos();

    /** The lanes that were slow since these trials began. */
    private final Set<Lane> slow = new HashSet<>();

    private boolean hasBegun;
    private boolean rests;

    /** How long they rest: longer each time that all lanes were slow. */
    private long restNanos = MINUTE_NANOS;

    /** Whether the last trials that have ended found that all lanes are slow. */
    private boolean allSlow;

    /** When these trials began, or began to rest. */
    private long sinceNanos;

    /** How long the shortest call of a slow lane lasted. */
    private long shortestNanos;

    /** How long the call lasted that led to the trials, for each of its timers. */
    private double eachNanos;

    private double costNanos;
    private long costSinceNanos;

    /**
     * Notes that a lane is suspected.
     *
     * @param isFirst whether no other lane is suspected
     */
    void suspected(boolean isFirst, long nowNanos) {
        long lasted = nowNanos - sinceNanos;
        boolean hasEnded = rests ? lasted >= restNanos : isFirst || lasted >= 2 * MINUTE_NANOS;
        if (!hasBegun || hasEnded) {
            begin(nowNanos);
        }
    }

    private void begin(long nowNanos) {
        costSinceNanos = hasBegun ? costSinceNanos : nowNanos;
        hasBegun = true;
        rests = false;
        sinceNanos = nowNanos;
        shortestNanos = Long.MAX_VALUE;
        slow.clear();
    }

    private void rest(long nowNanos) {
        rests = true;
        sinceNanos = nowNanos;
        slow.clear();
    }

    /** Notes how long a call lasted for each of its timers. Trials that last as long cost nothing. */
    void compareWith(double nanos) {
        eachNanos = nanos;
    }

    /** Returns whether single timers may be tried although no quick lane is present. */
    boolean mayGoOn(long nowNanos) {
        return hasBegun && !rests && nowNanos - sinceNanos < MINUTE_NANOS;
    }

    /** Returns whether trials found lately that no lane is slow, or that all are. */
    boolean isResting(long nowNanos) {
        return rests && nowNanos - sinceNanos < restNanos;
    }

    /**
     * Notes a long call of one lane, while no quick lane is present. Returns whether all lanes seem to be slow; then
     * the trials rest.
     */
    boolean wasLong(Lane lane, MadeCall call, long nowNanos) {
        slow.add(lane);
        shortestNanos = Math.min(shortestNanos, call.nanos());
        boolean isAll = slow.size() >= ALL_SLOW;
        if (isAll) {
            restNanos = allSlow ? Math.min(LONGEST_REST_NANOS, 2 * restNanos) : MINUTE_NANOS;
            allSlow = true;
            rest(nowNanos);
        }
        return isAll;
    }

    /** Returns whether all lanes were slow when trials ended last. */
    boolean wereAllSlow() {
        return allSlow;
    }

    /** Returns how long the shortest call of the slow lanes lasted. */
    long shortestNanos() {
        return shortestNanos;
    }

    /**
     * Notes that the trial of a lane was quick. Returns whether such trials cost too much; then they rest.
     *
     * @param nanos how long it lasted
     */
    boolean wasQuick(long nanos, long nowNanos) {
        allSlow = false;
        restNanos = MINUTE_NANOS;
        if (nowNanos - costSinceNanos >= MINUTE_NANOS) {
            costNanos = 0;
            costSinceNanos = nowNanos;
        }
        costNanos += Math.max(0, nanos - eachNanos);
        boolean isTooMuch = costNanos >= MOST_COST_NANOS;
        if (isTooMuch) {
            costNanos = 0;
            rest(nowNanos);
        }
        return isTooMuch;
    }
}

package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.DoubtedTimers;
import dev.duetime.engine.lanes.LaneRecall;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.PutOffTimers;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.Settler;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The outcomes of the timers that are being published: hands them to the settler. Used by one thread. */
final class PublishOutcomes {
    private final Settlements settlements;
    private final Settler settler;
    private final CrashAttempts crashAttempts;
    private final PublisherPresence presence;
    private final FailingLanes failing;
    private final Clock clock;
    private final PutOffTimers putOff = new PutOffTimers();
    private final DoubtedTimers doubted = new DoubtedTimers();
    private final LaneRecall recall = new LaneRecall();

    /** The generations of this turn's timers that have an outcome or are in a call. */
    private final Map<TimerKey, Long> done = new HashMap<>();

    /** Those of them that were put off without a try. */
    private final Set<TimerKey> untried = new HashSet<>();

    private boolean failed;

    PublishOutcomes(
            Settlements settlements,
            Settler settler,
            CrashAttempts crashAttempts,
            PublisherPresence presence,
            FailingLanes failing,
            Clock clock) {
        this.settlements = settlements;
        this.settler = settler;
        this.crashAttempts = crashAttempts;
        this.presence = presence;
        this.failing = failing;
        this.clock = clock;
    }

    /** Begins a turn. */
    void begin() {
        failed = false;
        end();
    }

    /** Ends a turn. */
    void end() {
        done.clear();
        untried.clear();
    }

    /** Returns whether some timers of the turn were not delivered. */
    boolean hasFailed() {
        return failed;
    }

    /** Returns whether the timer has an outcome or is in a call. */
    boolean isDone(StoredTimer timer) {
        return Long.valueOf(timer.generation()).equals(done.get(timer.key()));
    }

    /** Returns whether the timer was tried in this turn, or is in a call. */
    boolean isTried(StoredTimer timer) {
        return isDone(timer) && !untried.contains(timer.key());
    }

    /** Returns whether the timer was put off in this turn without a try. */
    boolean isPutOff(StoredTimer timer) {
        return isDone(timer) && untried.contains(timer.key());
    }

    /** Notes that a call beside the loop publishes the timer. */
    void begun(StoredTimer timer) {
        done.put(timer.key(), timer.generation());
        recall.forget(timer.key());
    }

    /**
     * Notes the results of a batch, and of the timers beyond it that were tried if it failed. Returns until when to
     * back off.
     */
    Instant note(List<Parcel> batch, List<Parcel> beyond, Result result) {
        result.forgetUncertain();
        List<Parcel> tried = new ArrayList<>(batch);
        if (result.error != null) {
            tried.addAll(beyond);
        }
        note(tried, result);
        if (presence.isOutage(result)) {
            return backOff(batch, result, batch.size() + beyond.size() == 1);
        }
        noteTried(tried, result);
        return Instant.MIN;
    }

    /**
     * Notes timers that were published apart. They have failed only if others got through before. Then those of lanes
     * that must rest are put off. Returns until when to back off.
     *
     * @param wasThere whether others had got through when it began
     * @param isAlone whether no other timer was due then
     */
    Instant noteApart(List<Parcel> apart, Result result, boolean wasThere, boolean isAlone) {
        boolean isThere = wasThere && !presence.seemsAway();
        if (!isThere) {
            result.forgetUncertain();
        }
        note(apart, result);
        if (!isThere && !presence.isThere() && presence.isOutage(result)) {
            return backOff(apart, result, isAlone);
        }
        noteTried(apart, result);
        long nanos = clock.nanoTime();
        putOff(result.open(apart).stream()
                .filter(each -> !failing.mayTry(each.lane(), nanos) || result.givenUp.contains(each.lane()))
                .toList());
        return Instant.MIN;
    }

    /** Notes which lanes fail. Those that do not any more get back timers that were put off because of them. */
    void noteTried(List<Parcel> tried, Result result) {
        presence.noteTried(tried, result);
        if (!recall.isEmpty()) {
            Map<Lane, Integer> delivered = new HashMap<>();
            tried.forEach(
                    each -> delivered.merge(each.lane(), result.delivered.contains(each.id()) ? 1 : 0, Integer::sum));
            Instant now = clock.now();
            long nanos = clock.nanoTime();
            delivered.forEach((lane, count) -> {
                if (failing.isFailing(lane)) {
                    recall.callForNextTry(lane, now.plusNanos(failing.nanosToNextTry(lane, nanos)), now);
                } else if (count > 0) {
                    recall.callBack(lane, count, now);
                }
            });
        }
    }

    /** Puts off those of the parcels whose lanes fail, unless they have an outcome. */
    void putOff(List<Parcel> parcels) {
        Instant now = clock.now();
        long nanos = clock.nanoTime();
        for (Parcel each : parcels) {
            if (failing.isFailing(each.lane()) && !isDone(each.timer())) {
                putOff(each, now, nanos);
            }
        }
    }

    /** Notes the results of parcels. If that broke off before, it continues there: these must be the same parcels. */
    void note(List<Parcel> tried, Result result) {
        Instant now = clock.now();
        for (; result.noted < tried.size(); result.noted++) {
            Parcel each = tried.get(result.noted);
            StoredTimer timer = each.timer();
            Throwable failure = result.failed.get(each.id());
            if (result.delivered.contains(each.id())) {
                settle(timer, settlements.delivered(timer, each.envelope(), now));
            } else if (failure != null) {
                settle(timer, settlements.failed(timer, each.envelope(), failure, now));
            }
        }
        presence.noteOutcomes(result);
        failed |= result.error != null || !result.failed.isEmpty();
    }

    /** Makes a timer due again at that time, without an attempt, since an earlier one of its key is put off, too. */
    void putOff(StoredTimer timer, Instant until) {
        Lane before = putOff.laneBefore(timer);
        putOff(timer, before == null ? Lane.of(timer) : before, until);
    }

    private void putOff(StoredTimer timer, Lane because, Instant until) {
        Settlement.Retried outcome = settlements.putOff(timer, until);
        settle(timer, outcome);
        untried.add(timer.key());
        putOff.add(timer, until);
        recall.add(timer, because, outcome.wakeAt());
    }

    /**
     * Puts off a parcel that cannot be tried now. If it is only in the lane of an earlier timer of its parallel key, it
     * waits for that one, and not for a place of its own among those that fail.
     */
    void putOff(Parcel parcel, Instant now, long nowNanos) {
        putOff(parcel, now, nowNanos, 0);
    }

    /** Puts off a parcel likewise, and at least for this time. */
    void putOff(Parcel parcel, Instant now, long nowNanos, long leastNanos) {
        StoredTimer timer = parcel.timer();
        if (follows(parcel)) {
            putOff(timer, parcel.lane(), putOff.after(timer, now));
        } else {
            long wait = failing.waitOf(parcel, nowNanos).toNanos();
            putOff(timer, parcel.lane(), now.plusNanos(Math.max(wait, leastNanos)));
        }
    }

    private static boolean follows(Parcel parcel) {
        return !parcel.lane().equals(Lane.of(parcel.timer()));
    }

    /** Returns the timers that were put off, for which others of their parallel keys wait. */
    PutOffTimers putOff() {
        return putOff;
    }

    /** Returns the timers that were put off, by the lanes because of which they were. */
    LaneRecall recall() {
        return recall;
    }

    /** Returns the timers that failed alone while nothing else could be tried. */
    DoubtedTimers doubted() {
        return doubted;
    }

    /**
     * Notes that nothing got through. Returns until when to back off.
     *
     * @param isAlone whether no other timer is due: then the row shows the error
     */
    Instant backOff(List<Parcel> tried, Result result, boolean isAlone) {
        List<Parcel> open = result.open(tried);
        Throwable error = result.error;
        if (open.isEmpty() || error == null) {
            return Instant.MIN;
        }
        Instant now = clock.now();
        if (isAlone) {
            StoredTimer timer = open.get(0).timer();
            Settlement shown = settlements.shown(timer, error, now);
            if (shown != null) {
                settle(timer, shown);
            }
        }
        Instant until = presence.failed(result, error, now);
        recall.callInOutage(until, now);
        return until;
    }

    private void settle(StoredTimer timer, Settlement outcome) {
        // First: what is done without being settled would be in delivery for ever.
        settler.add(outcome);
        done.put(timer.key(), timer.generation());
        crashAttempts.over(timer);
        putOff.forget(timer.key());
        recall.forget(timer.key());
        doubted.forget(timer.key());
    }
}

package dev.duetime.engine.lanes;

import dev.duetime.engine.lanes.Parcel.Lane;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The lanes whose calls last much longer than is usual for the queue, learnt from the durations of calls. All lanes in
 * a long call are suspected, also while it runs. So are lanes in a doubtful call, if no quick call has held them
 * lately: such a call lasted, but it held so many timers that this may be the reason. The next calls, of one lane each,
 * show which of them is slow. Used by one thread.
 */
public final class SlowLanes {
    /** A call that took less is never long. */
    private static final long LONG_NANOS = Duration.ofSeconds(1).toNanos();

    /** A call is long if it took so many times as long for each timer as usual, */
    private static final int TIMES_EACH = 4;

    /** and so many times as long as a usual call: some publishers take as long for many timers as for one. */
    private static final int TIMES_CALL = 2;

    /** What is usual before the first call has ended. */
    private static final double FIRST_EACH_NANOS = Duration.ofMillis(25).toNanos();

    private static final double FIRST_CALL_NANOS = Duration.ofMillis(250).toNanos();

    /** What is usual rises by this part of the difference, and falls by half of it. */
    private static final int PART = 8;

    /** After so many calls in a row that are not long, a lane that was slow is not slow any more. */
    private static final int QUICK_IN_A_ROW = 8;

    /** Bounds memory; beyond it the oldest ones are forgotten. */
    private static final int MOST_REMEMBERED = 1_000;

    /** Bounds memory. One that is present is enough. */
    private static final int MOST_PRESENT = 100;

    /**
     * A call of the publisher that has ended.
     *
     * @param nanos how long it took
     * @param hasFailed whether nothing is known about its timers
     */
    public record MadeCall(List<Parcel> parcels, long nanos, boolean hasFailed) {}

    private final Map<Lane, State> slow = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Lane, State> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    private double usualEach = FIRST_EACH_NANOS;
    private double usualCall = FIRST_CALL_NANOS;

    /** Lanes that are not slow; one for each call. */
    private final RecentLanes present = new RecentLanes(MOST_PRESENT);

    /** The lanes in calls that took less than {@link #LONG_NANOS}. */
    private final RecentLanes quick = new RecentLanes(MOST_REMEMBERED);

    private final LaneTrials trials = new LaneTrials();

    private static final class State {
        /** Whether a call of this lane alone was long, or runs and is long. */
        private boolean isCertain;

        /** Whether only doubtful calls speak against this lane. */
        private boolean isDoubtful;

        private int quickInARow;

        /** Whether its last call of several timers failed as a whole. */
        private boolean isSingle;
    }

    /** Retries of a lane are as slow as its other timers. */
    public static Lane of(Lane lane) {
        return lane.isRetry() ? new Lane(lane.tenantId(), lane.type(), false) : lane;
    }

    public static Set<Lane> of(List<Parcel> parcels) {
        Set<Lane> lanes = new HashSet<>();
        parcels.forEach(each -> lanes.add(of(each.lane())));
        return lanes;
    }

    /**
     * Returns whether some lanes are slow and others are not, or whether this is being tried. If all of them take as
     * long, nobody holds up others, and timers of several lanes share calls as usual.
     */
    public boolean holdUpOthers(long nowNanos) {
        return !slow.isEmpty() && (isQuickPresent(nowNanos) || (trials.mayGoOn(nowNanos) && isAnyUncertain()));
    }

    private boolean isAnyUncertain() {
        return slow.values().stream().anyMatch(each -> !each.isCertain);
    }

    private boolean isQuickPresent(long nowNanos) {
        return present.isAny(nowNanos) || quick.isAny(nowNanos);
    }

    /** Returns whether the lane is slow, or suspected of it. */
    public boolean isSlow(Lane lane) {
        return slow.containsKey(of(lane));
    }

    public boolean isSlow(Parcel parcel) {
        return isSlow(parcel.lane());
    }

    /** Returns whether the lane is suspected, and no call has shown that it is slow. */
    public boolean isUncertain(Lane lane) {
        State state = slow.get(of(lane));
        return state != null && !state.isCertain;
    }

    /** Returns how many lanes are slow. */
    public int count() {
        return slow.size();
    }

    /** Returns whether several lanes are slow. */
    public boolean isSeveral() {
        return slow.size() > 1;
    }

    /** Returns how many timers of the lane one call may take. */
    public int batchSize(Lane lane, int most) {
        State state = slow.get(of(lane));
        return state != null && (state.isSingle || !state.isCertain) ? 1 : most;
    }

    /** Notes that a call of several timers of the lane failed as a whole: the next calls show which of them fails. */
    public void failedTogether(Lane lane) {
        State state = slow.get(of(lane));
        if (state != null) {
            state.isSingle = true;
        }
    }

    /** Notes calls that have ended. One that failed as a whole does not show how long others take. */
    public void note(List<MadeCall> calls, long nowNanos) {
        for (MadeCall each : calls) {
            Set<Lane> lanes = of(each.parcels());
            if (isLong(each.nanos(), each.parcels().size()) || isLongTrial(each, lanes)) {
                noteLong(each, lanes, nowNanos);
            } else if (isUnclear(each.nanos(), each.parcels().size(), lanes, nowNanos)) {
                noteUnclear(each, lanes, nowNanos);
            } else if (!each.hasFailed()) {
                noteQuick(each, lanes, nowNanos);
            }
        }
    }

    /** Notes a call that still runs, and has lasted so long. */
    public void noteRunning(List<Parcel> batch, long nanos, long nowNanos) {
        if (isLong(nanos, batch.size())) {
            Set<Lane> lanes = of(batch);
            suspects(lanes, nowNanos - nanos).forEach(lane -> suspect(lane, nowNanos).isCertain |= lanes.size() == 1);
        } else if (isUnclear(nanos, batch.size(), of(batch), nowNanos)) {
            doubt(of(batch), (double) nanos / batch.size(), nowNanos);
        }
    }

    /** After all lanes were slow, a trial shows a slow lane although it takes as long as usual. */
    private boolean isLongTrial(MadeCall call, Set<Lane> lanes) {
        return trials.wereAllSlow()
                && call.nanos() >= LONG_NANOS
                && call.parcels().size() == 1
                && isUncertain(lanes.iterator().next());
    }

    /**
     * Returns whether a call lasted and its many timers may be the reason. If all lanes were slow before, such calls
     * are usual, so lanes that are new since then are tried all the same.
     */
    private boolean isUnclear(long nanos, int timers, Set<Lane> lanes, long nowNanos) {
        boolean isNew = trials.wereAllSlow() && nanos >= LONG_NANOS && lanes.size() > 1;
        return timers > 1 && (isLasting(nanos) || (isNew && !trials.isResting(nowNanos)));
    }

    private boolean isLasting(long nanos) {
        return nanos >= LONG_NANOS && nanos >= TIMES_CALL * usualCall;
    }

    private boolean isLong(long nanos, int timers) {
        return isLasting(nanos) && nanos >= TIMES_EACH * usualEach * timers;
    }

    private void noteLong(MadeCall call, Set<Lane> lanes, long nowNanos) {
        for (Lane lane : suspects(lanes, nowNanos - call.nanos())) {
            State state = suspect(lane, nowNanos);
            state.quickInARow = 0;
            state.isCertain |= lanes.size() == 1 && !call.hasFailed();
            state.isSingle &= call.hasFailed();
        }
        if (isQuickPresent(nowNanos) || call.hasFailed()) {
            return;
        }
        if (trials.isResting(nowNanos)) {
            learn(call);
        } else if (lanes.size() == 1 && trials.wasLong(lanes.iterator().next(), call, nowNanos)) {
            slow.clear();
            usualCall = trials.shortestNanos();
            usualEach = trials.shortestNanos();
        }
    }

    /** Returns the lanes in no quick call that ended after this one had begun; all of them if there is none. */
    private Set<Lane> suspects(Set<Lane> lanes, long beganNanos) {
        Set<Lane> suspects = new HashSet<>(lanes);
        suspects.removeIf(lane -> quick.wasAddedSince(lane, beganNanos));
        return suspects.isEmpty() ? lanes : suspects;
    }

    /** The lane itself is not one of the others that it may hold up, although it was quick before. */
    private State suspect(Lane lane, long nowNanos) {
        present.remove(lane);
        quick.remove(lane);
        State state = slow.get(lane);
        if (state == null) {
            trials.suspected(!isAnyUncertain(), nowNanos);
            state = new State();
            slow.put(lane, state);
        }
        state.isDoubtful = false;
        return state;
    }

    /** A call that lasted shows nothing about its lanes if it held many timers. So nothing is learnt from it. */
    private void noteUnclear(MadeCall call, Set<Lane> lanes, long nowNanos) {
        doubt(lanes, (double) call.nanos() / call.parcels().size(), nowNanos);
        if (call.hasFailed()) {
            return;
        }
        if (lanes.stream().noneMatch(slow::containsKey)) {
            present.add(of(call.parcels().get(0).lane()), nowNanos);
        }
        State state = lanes.size() == 1 ? slow.get(lanes.iterator().next()) : null;
        if (state != null && state.isCertain && ++state.quickInARow >= QUICK_IN_A_ROW) {
            // A single timer shows whether the lane is still slow.
            trials.suspected(!isAnyUncertain(), nowNanos);
            state.isCertain = false;
            state.quickInARow = 0;
        }
    }

    private void doubt(Set<Lane> lanes, double eachNanos, long nowNanos) {
        if (lanes.size() == 1 || trials.isResting(nowNanos)) {
            return;
        }
        for (Lane lane : lanes) {
            if (!quick.contains(lane, nowNanos) && !slow.containsKey(lane)) {
                suspect(lane, nowNanos).isDoubtful = true;
                trials.compareWith(eachNanos);
            }
        }
    }

    private void noteQuick(MadeCall call, Set<Lane> lanes, long nowNanos) {
        if (lanes.stream().noneMatch(slow::containsKey)) {
            learn(call);
            present.add(of(call.parcels().get(0).lane()), nowNanos);
        }
        for (Lane lane : lanes) {
            State state = slow.get(lane);
            if (state != null) {
                state.isSingle = false;
                state.quickInARow++;
                if (!state.isCertain || state.quickInARow >= QUICK_IN_A_ROW) {
                    slow.remove(lane);
                }
                if (state.isDoubtful && !state.isCertain && trials.wasQuick(call.nanos(), nowNanos)) {
                    slow.values().removeIf(each -> each.isDoubtful && !each.isCertain);
                }
            }
            if (call.nanos() < LONG_NANOS && !slow.containsKey(lane)) {
                quick.add(lane, nowNanos);
            }
        }
    }

    private void learn(MadeCall call) {
        usualCall = changed(usualCall, (double) call.nanos());
        usualEach = changed(usualEach, (double) call.nanos() / call.parcels().size());
    }

    private static double changed(double usual, double nanos) {
        return usual + (nanos - usual) / (nanos < usual ? 2 : PART);
    }
}

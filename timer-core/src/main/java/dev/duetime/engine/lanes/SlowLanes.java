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
 * a long call are suspected, also while it runs. The next calls, of one lane each, show which of them is slow. Used by
 * one thread.
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

    /** How long lanes count as present that are not slow. */
    private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();

    /** Bounds memory; beyond it the oldest ones are forgotten. */
    private static final int MOST_REMEMBERED = 1_000;

    /** Bounds memory. One that is present is enough. */
    private static final int MOST_QUICK = 100;

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

    /** When calls of lanes that are not slow have ended; one lane for each call. */
    private final Map<Lane, Long> quickAtNanos = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Lane, Long> eldest) {
            return size() > MOST_QUICK;
        }
    };

    private static final class State {
        /** Whether a call of this lane alone was long, or runs and is long. */
        private boolean isCertain;

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
     * Returns whether some lanes are slow and others are not. If all of them take as long, nobody holds up others, and
     * timers of several lanes share calls as usual.
     */
    public boolean holdUpOthers(long nowNanos) {
        return !slow.isEmpty() && isQuickPresent(nowNanos);
    }

    private boolean isQuickPresent(long nowNanos) {
        return quickAtNanos.values().stream().anyMatch(each -> nowNanos - each < KNOWN_NANOS);
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
            if (isLong(each.nanos(), each.parcels().size())) {
                noteLong(each, nowNanos);
            } else if (!each.hasFailed()) {
                noteQuick(each, nowNanos);
            }
        }
    }

    /** Notes a call that runs since that time. */
    public void noteRunning(List<Parcel> batch, long nanos) {
        if (isLong(nanos, batch.size())) {
            Set<Lane> lanes = of(batch);
            lanes.forEach(lane -> suspect(lane).isCertain |= lanes.size() == 1);
        }
    }

    private boolean isLong(long nanos, int timers) {
        return nanos >= LONG_NANOS && nanos >= TIMES_CALL * usualCall && nanos >= TIMES_EACH * usualEach * timers;
    }

    private void noteLong(MadeCall call, long nowNanos) {
        Set<Lane> lanes = of(call.parcels());
        for (Lane lane : lanes) {
            State state = suspect(lane);
            state.quickInARow = 0;
            state.isCertain |= lanes.size() == 1 && !call.hasFailed();
            state.isSingle &= call.hasFailed();
        }
        if (!isQuickPresent(nowNanos) && !call.hasFailed()) {
            learn(call);
        }
    }

    /** The lane itself is not one of the others that it may hold up, although it was quick before. */
    private State suspect(Lane lane) {
        quickAtNanos.remove(lane);
        return slow.computeIfAbsent(lane, unknown -> new State());
    }

    private void noteQuick(MadeCall call, long nowNanos) {
        Set<Lane> slowOnes = slow.isEmpty() ? Set.of() : of(call.parcels());
        if (slowOnes.stream().noneMatch(slow::containsKey)) {
            learn(call);
            quickAtNanos.put(of(call.parcels().get(0).lane()), nowNanos);
        }
        for (Lane lane : slowOnes) {
            State state = slow.get(lane);
            if (state != null) {
                state.isSingle = false;
                state.quickInARow++;
                if (!state.isCertain || state.quickInARow >= QUICK_IN_A_ROW) {
                    slow.remove(lane);
                }
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

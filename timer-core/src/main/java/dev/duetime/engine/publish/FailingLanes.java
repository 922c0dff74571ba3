package dev.duetime.engine.publish;

import dev.duetime.PostponedException;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.RecentLanes;
import dev.duetime.engine.publish.PublishCall.Result;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that fail, the cost of that, and when each lane may be tried again. A failing lane gets a bounded share of
 * the loop's time. The share is divided among all failing lanes, and shrinks while nothing of the lane gets through.
 * Used by one thread.
 */
final class FailingLanes {
    /** The share of the time of one failing lane: an eighth, */
    private static final int PART = 8;
    /** and of all of them together: a quarter. */
    private static final int PART_OF_ALL = 4;
    /** How often the share is halved, at most, while the lane fails. */
    private static final int MOST_HALVINGS = 3;

    /**
     * A try that took longer counts as that, unless the one before took as long, too: the process may have been
     * suspended in it, and that is not the lane's fault.
     */
    private static final long UNCONFIRMED_NANOS = Duration.ofMillis(250).toNanos();

    private static final long LONGEST_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    /**
     * The shortest delay of a timer that cannot be tried. If the next try of its lane is later, it waits until then.
     */
    private static final long LONGEST_WAIT_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long SHORTEST_WAIT_NANOS = Duration.ofMillis(1).toNanos();

    /** After so many tries in vain a lane may still be well: they held a timer or two, and some of these are poison. */
    private static final int SELDOM_IN_VAIN = 1;

    private static final long LATELY_NANOS = Duration.ofSeconds(10).toNanos();

    /** Of how many timers a try counts as one, at least: limits may allow a single one. */
    private static final int LEAST_TRIED = 4;

    /**
     * The longest time between two timers of a lane of which something got through lately: most of them may be well.
     */
    private static final long LONGEST_STEP_NANOS = Duration.ofMillis(10).toNanos();

    /** For one failure, this many must get through before a lane no longer counts as failing. */
    private static final int MOSTLY = 3;
    /** Bounds memory; beyond it the oldest failures are forgotten. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Map<Lane, State> failing = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Lane, State> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** Lanes of which something got through; all of them while some lanes fail. */
    private final RecentLanes gotThrough = new RecentLanes(MOST_REMEMBERED);

    /** How many of these have not failed themselves: they take no part of the time. */
    private int suspects;

    /** Returns whether timers of the lane are published apart from the others. */
    boolean isFailing(Lane lane) {
        return failing.containsKey(lane);
    }

    /** Returns whether nothing of the lane got through lately: it fails, whether or not others do. */
    boolean failsByItself(Lane lane, long nowNanos) {
        return !gotThrough.wasAddedSince(lane, nowNanos - LATELY_NANOS);
    }

    boolean mayTry(Lane lane, long nowNanos) {
        State state = failing.get(lane);
        return state == null || nowNanos - state.nextTryNanos >= 0;
    }

    /** Returns how long a lane must rest from now on; 0 if it may be tried. */
    long nanosToNextTry(Lane lane, long nowNanos) {
        State state = failing.get(lane);
        return state == null ? 0 : Math.max(0, state.nextTryNanos - nowNanos);
    }

    /** Returns how long one failure of the lane takes; 0 if that is not known. */
    long nanosEach(Lane lane) {
        State state = failing.get(lane);
        return state == null ? 0 : state.nanosEach;
    }

    /** Notes the results of parcels in a turn in which something got through. */
    void note(List<Parcel> tried, Result result, long nowNanos) {
        if (failing.isEmpty() && result.failed.isEmpty() && result.givenUp.isEmpty() && result.suspects.isEmpty()) {
            if (!result.delivered.isEmpty()) {
                // All have got through. To note each of them would cost time.
                gotThrough.add(tried.get(0).lane(), nowNanos);
            }
            return;
        }
        Map<Lane, int[]> counts = new HashMap<>();
        for (Parcel each : tried) {
            if (result.delivered.contains(each.id())) {
                gotThrough.add(each.lane(), nowNanos);
            }
            int[] count = counts.computeIfAbsent(each.lane(), lane -> new int[2]);
            count[0] += result.delivered.contains(each.id()) ? 1 : 0;
            count[1] += isFailure(result.failed.get(each.id())) ? 1 : 0;
        }
        counts.forEach((lane, count) -> {
            if (count[1] == 0 && result.suspects.contains(lane)) {
                suspect(lane, nowNanos);
            } else {
                long spent = result.spentNanos.getOrDefault(lane, 0L);
                note(lane, count[0], count[1], spent, result.givenUp.contains(lane), nowNanos);
            }
        });
    }

    /** Lets a lane be tried apart from others, and at once. */
    private void suspect(Lane lane, long nowNanos) {
        if (!isFailing(lane)) {
            State state = new State();
            state.nextTryNanos = nowNanos;
            state.isSuspect = true;
            suspects++;
            failing.put(lane, state);
        }
    }

    private @Nullable State remove(Lane lane) {
        State removed = failing.remove(lane);
        if (removed != null && removed.isSuspect) {
            removed.isSuspect = false;
            suspects = Math.max(0, suspects - 1);
        }
        return removed;
    }

    private static boolean isFailure(@Nullable Throwable error) {
        return error != null && !(error instanceof PostponedException);
    }

    private void note(Lane lane, int delivered, int failed, long spentNanos, boolean gaveUp, long nowNanos) {
        boolean fails = gaveUp ? delivered == 0 : failed > 0 && delivered <= MOSTLY * failed;
        if (!fails) {
            if (delivered > 0) {
                remove(lane);
            }
            return;
        }
        State before = remove(lane);
        State state = before == null ? new State() : before;
        failing.put(lane, state);
        state.inVain = delivered > 0 ? 0 : Math.min(state.inVain + 1, MOST_HALVINGS);
        long cost = Math.min(spentNanos, Math.max(UNCONFIRMED_NANOS, state.spentNanos));
        state.spentNanos = spentNanos;
        state.nanosEach = cost / Math.max(1, failed);
        // A lane that has just begun to fail may be well: if so, its timers need not come one after the other.
        state.tried = before == null ? Integer.MAX_VALUE : Math.max(LEAST_TRIED, failed + delivered);
        long part = Math.max(PART, PART_OF_ALL * (long) (failing.size() - suspects)) << state.inVain;
        long pause = cost > LONGEST_PAUSE_NANOS / part ? LONGEST_PAUSE_NANOS : cost * part;
        state.pauseNanos = Math.max(pause, SHORTEST_WAIT_NANOS);
        state.nextTryNanos = nowNanos + pause;
        state.slotNanos = Math.max(state.slotNanos, state.nextTryNanos);
    }

    /**
     * Notes that a lane failed while another one got through, although not in the same turn. The other side may have
     * been repaired between the two: a lane that did not fail before is tried apart from others, and at once.
     */
    void blame(Lane lane, long spentNanos, long nowNanos) {
        State before = failing.get(lane);
        if (before == null) {
            suspect(lane, nowNanos);
        } else {
            long spentBefore = before.spentNanos;
            note(lane, 0, 1, spentNanos, false, nowNanos);
            // What it took during an outage does not confirm what the next try takes.
            before.spentNanos = spentBefore;
        }
    }

    /** Returns how long a parcel of a failing lane must wait. No more parcels become due at once than can be tried. */
    Duration waitOf(Parcel parcel, long nowNanos) {
        State state = failing.get(parcel.lane());
        long wait = SHORTEST_WAIT_NANOS;
        if (state != null) {
            long each = state.pauseNanos / state.tried;
            long step = state.inVain <= SELDOM_IN_VAIN ? Math.min(each, LONGEST_STEP_NANOS) : each;
            state.slotNanos = Math.max(state.slotNanos, state.nextTryNanos) + step;
            wait = Math.max(state.slotNanos - nowNanos, SHORTEST_WAIT_NANOS);
            if (wait > LONGEST_WAIT_NANOS) {
                // If more are due at once, some are put off again. A longer wait would delay them after the other side
                // is repaired.
                state.slotNanos = state.nextTryNanos;
                wait = Math.max(state.slotNanos - nowNanos, SHORTEST_WAIT_NANOS);
            }
        }
        return Duration.ofNanos(wait);
    }

    private static final class State {
        private boolean isSuspect;
        private int inVain;
        private int tried = 1;
        /** What the last try took, also while the process was suspended. */
        private long spentNanos;

        private long nanosEach;
        private long pauseNanos;
        private long nextTryNanos;
        private long slotNanos = Long.MIN_VALUE;
    }
}

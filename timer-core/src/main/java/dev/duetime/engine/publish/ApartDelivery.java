package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.publish.CallJob.Caller;
import dev.duetime.engine.publish.PublishCall.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The delivery of timers that have failed before, or that are in a failing lane, after all other timers. It goes lane
 * by lane: first one timer, then more as long as they get through, within a limit of time for each lane. Used by the
 * loop's thread, except {@link #publish}.
 */
final class ApartDelivery {
    private static final long LANE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long TURN_NANOS = 2 * LANE_NANOS;
    private static final int IN_A_ROW = 4;
    private static final int ENOUGH_FOR_AN_OUTAGE = 2;

    private final Clock clock;
    private final FailingLanes failing;
    private final SuspectedLanes suspected;
    private final RandomGenerator random;
    private final int batchSize;

    /**
     * Timers of a lane, in their order.
     *
     * @param nanosEach how long one failure takes; 0 if that is not known
     */
    record LaneTimers(Lane lane, List<Parcel> parcels, long nanosEach) {}

    ApartDelivery(Clock clock, FailingLanes failing, SuspectedLanes suspected, RandomGenerator random, int batchSize) {
        this.clock = clock;
        this.failing = failing;
        this.suspected = suspected;
        this.random = random;
        this.batchSize = batchSize;
    }

    /**
     * Returns the timers that may be tried now, in their order.
     *
     * @param isThere whether something got through in this turn or lately
     * @param first whether there was no outage before: then the first timer is tried first, else any timer
     */
    List<LaneTimers> inTurn(List<Parcel> parcels, boolean isThere, boolean first) {
        long now = clock.nanoTime();
        Map<Lane, List<Parcel>> lanes = byLane(first ? parcels : shuffled(parcels));
        List<LaneTimers> inTurn = new ArrayList<>();
        lanes.forEach((lane, timers) -> {
            if (failing.mayTry(lane, now)) {
                inTurn.add(new LaneTimers(lane, timers, failing.nanosEach(lane)));
            }
        });
        // Timers that have not failed yet come first. If nothing gets through, the lanes that failed least do.
        inTurn.sort(Comparator.comparingInt((LaneTimers each) -> isThere ? 0 : suspected.failures(each.lane()))
                .thenComparing(each -> each.lane().isRetry()));
        return inTurn;
    }

    /**
     * Publishes timers, lane by lane. Called by any thread.
     *
     * @param isThere whether something got through in this turn or lately; if not, two single failures are enough for
     *     an outage
     * @throws InterruptedException if the loop is being closed; the results noted until then are true
     */
    void publish(List<LaneTimers> lanes, boolean isThere, Caller call, Result result) throws InterruptedException {
        long began = clock.nanoTime();
        for (LaneTimers each : lanes) {
            if (clock.nanoTime() - began >= TURN_NANOS || result.stops) {
                return;
            }
            publish(each, isThere, lanes.size() > 1, call, result);
        }
    }

    private void publish(LaneTimers lane, boolean isThere, boolean oneOfSeveral, Caller call, Result result)
            throws InterruptedException {
        List<Parcel> parcels = lane.parcels();
        long began = clock.nanoTime();
        int size = 1;
        int next = 0;
        int inARow = 0;
        while (next < parcels.size() && inARow < IN_A_ROW && !result.stops) {
            long left = LANE_NANOS - (clock.nanoTime() - began);
            boolean inVain = !isThere && result.delivered.isEmpty();
            boolean seemsAway = inVain && result.failed.size() - result.certain.size() >= ENOUGH_FOR_AN_OUTAGE;
            if (seemsAway || (inVain && oneOfSeveral && inARow > 0)) {
                return;
            }
            if (left <= 0) {
                break;
            }
            int most = Math.min(fitting(lane.nanosEach(), size, left), parcels.size() - next);
            int together = call.together(parcels.subList(next, parcels.size()), most);
            List<Parcel> part = parcels.subList(next, next + together);
            int before = result.delivered.size();
            Throwable error = call.publish(part, result);
            if (error != null && part.size() > 1) {
                result.error = error;
                size = part.size() / 2;
                continue;
            }
            if (error != null) {
                result.error = error;
                result.failed.put(part.get(0).id(), error);
                result.failedAlone.add(lane.lane());
                inARow++;
            } else {
                inARow = result.delivered.size() > before ? 0 : inARow;
                size = Math.min(batchSize, 2 * part.size());
            }
            next += part.size();
        }
        if (next < parcels.size() && !result.stops) {
            result.givenUp.add(lane.lane());
        }
    }

    /**
     * Returns how many timers may be tried by one call. They take no longer than the time that is left, even if all
     * fail.
     */
    private static int fitting(long each, int size, long leftNanos) {
        return each == 0 ? size : (int) Math.max(1, Math.min(size, leftNanos / each));
    }

    /** In an outage, poison at the front must not hide other timers. Timers of one parallel key keep their order. */
    private List<Parcel> shuffled(List<Parcel> parcels) {
        List<Parcel> keyed = new ArrayList<>();
        List<Parcel> free = new ArrayList<>();
        parcels.forEach(each -> (each.timer().content().parallelKey() == null ? free : keyed).add(each));
        for (int i = free.size() - 1; i > 0; i--) {
            Collections.swap(free, i, random.nextInt(i + 1));
        }
        boolean freeFirst = random.nextBoolean();
        List<Parcel> all = new ArrayList<>(freeFirst ? free : keyed);
        all.addAll(freeFirst ? keyed : free);
        return all;
    }

    private static Map<Lane, List<Parcel>> byLane(List<Parcel> parcels) {
        Map<Lane, List<Parcel>> lanes = new LinkedHashMap<>();
        parcels.forEach(each ->
                lanes.computeIfAbsent(each.lane(), lane -> new ArrayList<>()).add(each));
        return lanes;
    }
}

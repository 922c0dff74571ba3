package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SuspectedLanes;
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
 * by lane: first one timer, then more as long as they get through, within a limit of time for each lane. Used by one
 * thread.
 */
final class ApartDelivery {
    private static final long LANE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long TURN_NANOS = 2 * LANE_NANOS;
    private static final int IN_A_ROW = 4;
    private static final int ENOUGH_FOR_AN_OUTAGE = 2;

    private final PublishCall call;
    private final FailingLanes failing;
    private final Clock clock;
    private final RandomGenerator random;
    private final int batchSize;
    private final SuspectedLanes suspected;

    ApartDelivery(
            PublishCall call,
            FailingLanes failing,
            SuspectedLanes suspected,
            Clock clock,
            RandomGenerator random,
            int batchSize) {
        this.call = call;
        this.failing = failing;
        this.suspected = suspected;
        this.clock = clock;
        this.random = random;
        this.batchSize = batchSize;
    }

    /**
     * Publishes the timers that may be tried now.
     *
     * @param isThere whether something got through in this turn; if not, two single failures are enough for an outage
     * @param first whether there was no outage before: then the first timer is tried first, else any timer
     * @throws InterruptedException if the loop is being closed; the results noted until then are true
     */
    void publish(List<Parcel> parcels, boolean isThere, boolean first, Result result) throws InterruptedException {
        long began = clock.nanoTime();
        Map<Lane, List<Parcel>> lanes = byLane(first ? parcels : shuffled(parcels));
        List<Lane> inTurn = new ArrayList<>(lanes.keySet());
        // Timers that have not failed yet come first. If nothing gets through, the lanes that failed least do.
        inTurn.sort(Comparator.comparingInt((Lane lane) -> isThere ? 0 : suspected.failures(lane))
                .thenComparing(Lane::isRetry));
        for (Lane lane : inTurn) {
            long now = clock.nanoTime();
            if (now - began >= TURN_NANOS || result.stops) {
                return;
            }
            if (failing.mayTry(lane, now)) {
                publish(lane, lanes.getOrDefault(lane, List.of()), isThere, lanes.size() > 1, result);
            }
        }
    }

    private void publish(Lane lane, List<Parcel> parcels, boolean isThere, boolean oneOfSeveral, Result result)
            throws InterruptedException {
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
            int most = Math.min(fitting(lane, size, left), parcels.size() - next);
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
                suspected.failed(lane);
                inARow++;
            } else {
                inARow = result.delivered.size() > before ? 0 : inARow;
                size = Math.min(batchSize, 2 * part.size());
            }
            next += part.size();
        }
        if (next < parcels.size() && !result.stops) {
            result.givenUp.add(lane);
        }
    }

    /**
     * Returns how many timers may be tried by one call. They take no longer than the time that is left, even if all
     * fail.
     */
    private int fitting(Lane lane, int size, long leftNanos) {
        long each = failing.nanosEach(lane);
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

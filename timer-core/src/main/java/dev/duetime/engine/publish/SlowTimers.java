package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SuspectedLanes;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The choice of timers of slow lanes that may begin: the loop does not publish these itself. Used by one thread. */
final class SlowTimers {
    private final Clock clock;
    private final SlowCalls slow;
    private final FailingLanes failing;
    private final SuspectedLanes suspected;
    private final PublishOutcomes outcomes;

    SlowTimers(Clock clock, SlowCalls slow, FailingLanes failing, SuspectedLanes suspected, PublishOutcomes outcomes) {
        this.clock = clock;
        this.slow = slow;
        this.failing = failing;
        this.suspected = suspected;
        this.outcomes = outcomes;
    }

    /**
     * Moves a retry of each slow lane to {@code fresh}. Those of lanes that must wait are put off.
     *
     * @param order the order of all timers, in which permits are given; empty without limits
     */
    void joinRetries(List<StoredTimer> order, List<Parcel> fresh, List<Parcel> apart) {
        Set<Lane> lanes = new HashSet<>();
        Instant now = clock.now();
        long nanos = clock.nanoTime();
        for (Parcel each : slow.takeFrom(apart)) {
            if (!failing.mayTry(each.lane(), nanos)) {
                outcomes.putOff(each, failing, now, nanos);
            } else if (lanes.add(each.lane())) {
                fresh.add(each);
            }
        }
        if (!lanes.isEmpty() && !order.isEmpty()) {
            Map<TimerKey, Integer> places = new HashMap<>();
            order.forEach(each -> places.put(each.key(), places.size()));
            fresh.sort(Comparator.comparingInt(
                    each -> places.getOrDefault(each.timer().key(), 0)));
        }
    }

    /**
     * Removes the timers of slow lanes while calls must be made alone.
     *
     * @return the one that may begin, of the lane that failed least; null if there is none
     */
    @Nullable
    Parcel takeAlone(List<Parcel> fresh, List<Parcel> apart) {
        List<Parcel> taken = slow.takeFrom(fresh);
        taken.addAll(slow.takeFrom(apart));
        long nanos = clock.nanoTime();
        Set<String> keys = new HashSet<>();
        taken.removeIf(each -> !isFirst(each, keys) || !failing.mayTry(each.lane(), nanos));
        suspected.leastFirst(taken);
        return taken.isEmpty() || !slow.mayTryAlone() ? null : taken.get(0);
    }

    private static boolean isFirst(Parcel parcel, Set<String> keys) {
        String key = parcel.timer().content().parallelKey();
        return key == null || keys.add(key);
    }
}

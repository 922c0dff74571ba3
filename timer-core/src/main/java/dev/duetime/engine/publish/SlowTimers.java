package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SuspectedLanes;
import java.time.Instant;
import java.util.ArrayList;
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
    private final KeyOrder order;
    private final PublishOutcomes outcomes;

    SlowTimers(
            Clock clock,
            SlowCalls slow,
            FailingLanes failing,
            SuspectedLanes suspected,
            KeyOrder order,
            PublishOutcomes outcomes) {
        this.clock = clock;
        this.slow = slow;
        this.failing = failing;
        this.suspected = suspected;
        this.order = order;
        this.outcomes = outcomes;
    }

    /**
     * Moves a timer of each slow lane in {@code apart} to {@code fresh}. Those of lanes that must wait are put off.
     *
     * @param ready all timers in the order in which permits are given; empty without limits
     */
    void joinRetries(List<StoredTimer> ready, List<Parcel> fresh, List<Parcel> apart) {
        Set<Lane> lanes = new HashSet<>();
        for (Parcel each : takeFromApart(apart)) {
            if (order.isNext(each) && lanes.add(each.lane())) {
                fresh.add(each);
            }
        }
        if (!lanes.isEmpty() && !ready.isEmpty()) {
            Map<TimerKey, Integer> places = new HashMap<>();
            ready.forEach(each -> places.put(each.key(), places.size()));
            fresh.sort(Comparator.comparingInt(
                    each -> places.getOrDefault(each.timer().key(), 0)));
        }
    }

    /**
     * Removes the timers of slow lanes while calls must be made alone. Those of lanes that must wait are put off.
     *
     * @return the one that may begin, of the lane that failed least; null if there is none
     */
    @Nullable
    Parcel takeAlone(List<Parcel> fresh, List<Parcel> apart) {
        List<Parcel> taken = slow.takeFrom(fresh);
        taken.addAll(takeFromApart(apart));
        taken.removeIf(each -> !order.isNext(each));
        suspected.leastFirst(taken);
        return taken.isEmpty() || !slow.mayTryAlone() ? null : taken.get(0);
    }

    /** Removes the timers of slow lanes. Returns those that may be tried now; the others are put off. */
    private List<Parcel> takeFromApart(List<Parcel> apart) {
        List<Parcel> some = new ArrayList<>();
        Instant now = clock.now();
        long nanos = clock.nanoTime();
        for (Parcel each : slow.takeFrom(apart)) {
            if (failing.mayTry(each.lane(), nanos)) {
                some.add(each);
            } else {
                outcomes.putOff(each, now, nanos);
            }
        }
        return some;
    }
}

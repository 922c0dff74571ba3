package dev.duetime.engine.lanes;

import dev.duetime.engine.lanes.Parcel.Lane;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The lanes of which a call has ended lately. If a lane is unknown, its calls may last long, so that few of its timers
 * begin until the first call has ended. A queue with one lane has no others to hold up. Used by one thread.
 */
public final class KnownLanes {
    private static final long KNOWN_NANOS = Duration.ofHours(1).toNanos();

    /** Bounds memory; beyond it those are forgotten that had no call for the longest time. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Map<Lane, Long> endedAtNanos = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Lane, Long> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** Notes a call that has ended. */
    public void note(List<Parcel> parcels, long nowNanos) {
        SlowLanes.of(parcels).forEach(lane -> endedAtNanos.put(lane, nowNanos));
    }

    private boolean isKnown(Lane lane, long nowNanos) {
        Long endedAt = endedAtNanos.get(lane);
        return endedAt != null && nowNanos - endedAt < KNOWN_NANOS;
    }

    /**
     * Returns the timers without those of unknown lanes that are too many.
     *
     * @param most how many timers of an unknown lane may be in calls
     * @param calls returns the timers in calls
     */
    public List<Parcel> withoutMany(
            List<Parcel> parcels, int most, Supplier<Collection<List<Parcel>>> calls, long nowNanos) {
        Set<Lane> lanes = SlowLanes.of(parcels);
        Set<Lane> unknown =
                lanes.stream().filter(lane -> !isKnown(lane, nowNanos)).collect(Collectors.toSet());
        if (unknown.isEmpty() || !hasOthers(lanes)) {
            return parcels;
        }
        Map<Lane, Integer> counts = new HashMap<>();
        calls.get().forEach(batch -> batch.forEach(each -> counts.merge(SlowLanes.of(each.lane()), 1, Integer::sum)));
        return parcels.stream()
                .filter(each -> {
                    Lane lane = SlowLanes.of(each.lane());
                    return !unknown.contains(lane) || counts.merge(lane, 1, Integer::sum) <= most;
                })
                .toList();
    }

    private boolean hasOthers(Set<Lane> lanes) {
        return lanes.size() > 1 || endedAtNanos.keySet().stream().anyMatch(each -> !lanes.contains(each));
    }
}

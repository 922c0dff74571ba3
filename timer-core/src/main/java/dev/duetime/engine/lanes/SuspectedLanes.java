package dev.duetime.engine.lanes;

import dev.duetime.engine.lanes.Parcel.Lane;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lanes that failed while nothing got through, and how often. It may be an outage, or their poison. So the lanes
 * that failed least are tried next, however many timers the others have. Used by one thread.
 */
public final class SuspectedLanes {
    /** Bounds memory. Beyond it all lanes are equal again. */
    private static final int MOST = 10_000;

    private final Map<Lane, Integer> failures = new HashMap<>();

    /** Returns what is known now, for another thread. */
    public SuspectedLanes copy() {
        SuspectedLanes copy = new SuspectedLanes();
        copy.failures.putAll(failures);
        return copy;
    }

    /** Notes that a call failed which tried timers of this lane only. */
    public void failed(Lane lane) {
        if (failures.size() >= MOST && !failures.containsKey(lane)) {
            failures.clear();
        }
        failures.merge(lane, 1, Integer::sum);
    }

    /** Forgets all failures, because something got through. */
    public void clear() {
        failures.clear();
    }

    public int failures(Lane lane) {
        return failures.getOrDefault(lane, 0);
    }

    /** Returns the parcels of the lanes that failed least. */
    public List<Parcel> least(List<Parcel> parcels) {
        int least = leastFailures(parcels);
        return parcels.stream().filter(each -> failures(each) == least).toList();
    }

    /** Sorts parcels: first come those of the lanes that failed least. Within a lane the order stays. */
    public void leastFirst(List<Parcel> parcels) {
        parcels.sort(Comparator.comparingInt(this::failures));
    }

    /** Returns whether a lane of these parcels failed less than all lanes of the others. */
    public boolean failedLess(List<Parcel> some, List<Parcel> others) {
        return !some.isEmpty() && leastFailures(some) < leastFailures(others);
    }

    private int leastFailures(List<Parcel> parcels) {
        return parcels.stream().mapToInt(this::failures).min().orElse(0);
    }

    private int failures(Parcel parcel) {
        return failures(parcel.lane());
    }
}

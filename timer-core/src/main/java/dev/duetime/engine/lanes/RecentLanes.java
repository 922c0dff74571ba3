package dev.duetime.engine.lanes;

import dev.duetime.engine.lanes.Parcel.Lane;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The lanes that were added within the last minute, up to a number. Used by one thread. */
public final class RecentLanes {
    /** How long a lane stays. */
    private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();

    private final int most;

    /** When each lane was added last; the oldest one comes first. */
    private final Map<Lane, Long> addedAtNanos = new LinkedHashMap<>();

    /**
     * Creates an empty set.
     *
     * @param most bounds memory; beyond it the oldest ones are forgotten
     */
    public RecentLanes(int most) {
        this.most = most;
    }

    public void add(Lane lane, long nowNanos) {
        addedAtNanos.remove(lane);
        addedAtNanos.put(lane, nowNanos);
        // The lane itself is recent, so that the loop ends.
        Iterator<Long> oldest = addedAtNanos.values().iterator();
        for (Long each = oldest.next(); addedAtNanos.size() > most || !isRecent(each, nowNanos); each = oldest.next()) {
            oldest.remove();
        }
    }

    private static boolean isRecent(long addedAt, long nowNanos) {
        return nowNanos - addedAt < KNOWN_NANOS;
    }

    void remove(Lane lane) {
        addedAtNanos.remove(lane);
    }

    boolean contains(Lane lane, long nowNanos) {
        Long addedAt = addedAtNanos.get(lane);
        return addedAt != null && isRecent(addedAt, nowNanos);
    }

    public boolean wasAddedSince(Lane lane, long nanos) {
        Long addedAt = addedAtNanos.get(lane);
        return addedAt != null && addedAt - nanos >= 0;
    }

    boolean isAny(long nowNanos) {
        return addedAtNanos.values().stream().anyMatch(each -> isRecent(each, nowNanos));
    }
}

package dev.duetime.passage;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The ticks that were due on this node and that it does not know: of another version, or removed. Thread-safe. */
final class UnknownTicks {
    /**
     * How long such a tick is left to nodes that know it. A node that knows it but does not own its shard notes that on
     * the row.
     */
    private static final Duration UNTIL_GIVEN_UP = Duration.ofDays(1);

    /** If a tick was not due here for this long, which is several times its postponement, another node may have it. */
    private static final Duration AWAY = Duration.ofSeconds(30);

    private final Map<TimerKey, Sighting> sightings = new ConcurrentHashMap<>();

    /** Notes that a tick was due; returns whether it was seen for the first time. */
    boolean note(Envelope envelope) {
        Instant now = envelope.event().reachedAt();
        Instant previous = envelope.event().previous();
        Sighting before = sightings.get(envelope.key());
        if (before != null && !before.isOver(now) && Objects.equals(before.previous, previous)) {
            sightings.put(envelope.key(), new Sighting(before.first, now, previous));
        } else {
            sightings.put(envelope.key(), new Sighting(now, now, previous));
        }
        return before == null;
    }

    /** Returns whether a tick has been due here for long without a break, and no node has delivered it or tried to. */
    boolean isGivenUp(StoredTimer tick, Instant now) {
        Sighting sighting = sightings.get(tick.key());
        if (sighting == null || sighting.isOver(now)) {
            return false;
        }
        if (sighting.wasTriedSince(tick)) {
            sightings.remove(tick.key(), sighting);
            return false;
        }
        return !now.isBefore(sighting.first.plus(UNTIL_GIVEN_UP));
    }

    void forget(TimerKey key) {
        sightings.remove(key);
    }

    /**
     * The times at which a tick was due on this node.
     *
     * @param first the first time without a break since
     * @param last the last time
     * @param previous the boundary that had been delivered by then
     */
    private record Sighting(
            Instant first, Instant last, @Nullable Instant previous) {

        boolean isOver(Instant now) {
            return now.isAfter(last.plus(AWAY));
        }

        /** Returns whether a node has done more than postpone the tick, which only a node that knows it does. */
        boolean wasTriedSince(StoredTimer tick) {
            Failure failure = tick.failure();
            return !Objects.equals(previous, tick.previousAt())
                    || (failure != null && failure.lastAt().isAfter(first));
        }
    }
}

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

/** Remembers ticks that were due here and are not known: of another version, or of none any more. Thread-safe. */
final class UnknownTicks {
    /** So long such a tick is left to nodes that know it, and say so on its row where they do not have its shard. */
    private static final Duration UNTIL_GIVEN_UP = Duration.ofDays(1);

    /** A tick that was not due here for so long, which is some times as long as it is put off, may be with another node. */
    private static final Duration AWAY = Duration.ofSeconds(30);

    private final Map<TimerKey, Sighting> sightings = new ConcurrentHashMap<>();

    /** Notes that a tick was due; returns whether it was unheard of. */
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

    /** Returns whether a tick has been due here all the time since long ago, and nobody has delivered it or tried to. */
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
     * Tells when a tick was due here.
     *
     * @param first since when again and again
     * @param last when last
     * @param previous what had been told by then
     */
    private record Sighting(
            Instant first, Instant last, @Nullable Instant previous) {

        boolean isOver(Instant now) {
            return now.isAfter(last.plus(AWAY));
        }

        /** Only a node that knows the tick does more than put it off. */
        boolean wasTriedSince(StoredTimer tick) {
            Failure failure = tick.failure();
            return !Objects.equals(previous, tick.previousAt())
                    || (failure != null && failure.lastAt().isAfter(first));
        }
    }
}

package dev.duetime.passage;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Remembers ticks that were due here and are not known: of another version, or of none any more. Thread-safe. */
final class UnknownTicks {
    /** So long such a tick is left to nodes that know it: longer than nodes of two versions run side by side. */
    private static final Duration UNTIL_GIVEN_UP = Duration.ofMinutes(15);

    private final Map<TimerKey, Sighting> sightings = new ConcurrentHashMap<>();

    /** Notes that a tick was due; returns whether it was unheard of. */
    boolean note(Envelope envelope) {
        Sighting sighting =
                new Sighting(envelope.event().reachedAt(), envelope.event().previous());
        return sightings.putIfAbsent(envelope.key(), sighting) == null;
    }

    /** Returns whether nobody has delivered a tick since it was first due here, long ago. */
    boolean isGivenUp(StoredTimer tick, Instant now) {
        Sighting sighting = sightings.get(tick.key());
        if (sighting == null) {
            return false;
        }
        if (!Objects.equals(sighting.previous, tick.previousAt())) {
            sightings.remove(tick.key());
            return false;
        }
        return !now.isBefore(sighting.first.plus(UNTIL_GIVEN_UP));
    }

    void forget(TimerKey key) {
        sightings.remove(key);
    }

    private record Sighting(Instant first, @Nullable Instant previous) {}
}

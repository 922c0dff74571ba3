package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.loop.DeliveryOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The timers with a parallel key that were put off without a try. Later timers of the key wait until these have been
 * tried. A timer that has failed is not among them: others overtake it.
 *
 * <p>Time alone does not tell whether a timer waits: a read that began before the put-off timer was due does not show
 * it, although it may be due when the read ends. Used by one thread.
 */
final class PutOffTimers {
    /** Bounds memory; beyond it the oldest are forgotten. */
    private static final int MOST_REMEMBERED = 10_000;

    /** A timer that no read has shown for so long was cancelled, or another node has it. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Until the new time is certainly written. */
    private static final Duration WRITING = Duration.ofSeconds(1);

    private static final Duration TICK = Duration.ofMillis(1);

    private final Map<TimerKey, PutOff> all = new LinkedHashMap<>();
    private final Map<String, NavigableMap<DeliveryOrder.Place, PutOff>> byKey = new HashMap<>();

    private record PutOff(String parallelKey, DeliveryOrder.Place place, Instant until) {
        boolean hasLapsed(Instant now) {
            return until.plus(LONGEST).isBefore(now);
        }
    }

    /** Adds a timer, if others must wait for it. */
    void add(StoredTimer timer, Instant until, Instant now) {
        String key = timer.content().parallelKey();
        if (key == null || Lane.of(timer).isRetry()) {
            return;
        }
        forget(timer.key());
        PutOff added = new PutOff(key, DeliveryOrder.Place.of(timer), until);
        all.put(timer.key(), added);
        byKey.computeIfAbsent(key, first -> new TreeMap<>()).put(added.place(), added);
        PutOff oldest = all.values().iterator().next();
        if (all.size() > MOST_REMEMBERED || oldest.hasLapsed(now)) {
            forget(oldest.place().key());
        }
    }

    /** Forgets a timer: it is being tried, has an outcome, or is put off anew. */
    void forget(TimerKey timer) {
        PutOff removed = all.isEmpty() ? null : all.remove(timer);
        if (removed != null) {
            removeFromKey(removed);
        }
    }

    private void removeFromKey(PutOff removed) {
        NavigableMap<DeliveryOrder.Place, PutOff> ofKey = byKey.getOrDefault(removed.parallelKey(), new TreeMap<>());
        ofKey.remove(removed.place());
        if (ofKey.isEmpty()) {
            byKey.remove(removed.parallelKey());
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * Begins a turn.
     *
     * @param inTurn the timers that are in their turn now, or in a call: nobody waits for these
     */
    Turn turn(Set<TimerKey> inTurn, Instant now) {
        return new Turn(inTurn, now);
    }

    /** A turn of the loop, in which timers come in their order. If one waits, so do all later ones of its key. */
    final class Turn {
        private final Set<TimerKey> inTurn;
        private final Instant now;
        private final Map<String, Optional<PutOff>> awaited = new HashMap<>();

        private Turn(Set<TimerKey> inTurn, Instant now) {
            this.inTurn = inTurn;
            this.now = now;
        }

        /**
         * Returns until when a timer must wait for an earlier one of its parallel key that is put off; null if it need
         * not wait.
         */
        @Nullable
        Instant waitsFor(StoredTimer timer) {
            String key = timer.content().parallelKey();
            if (key == null || all.isEmpty()) {
                return null;
            }
            PutOff first = awaited.computeIfAbsent(key, this::firstAwaited).orElse(null);
            return first != null && first.place().compareTo(DeliveryOrder.Place.of(timer)) < 0
                    ? nextLook(first.until())
                    : null;
        }

        private Optional<PutOff> firstAwaited(String key) {
            NavigableMap<DeliveryOrder.Place, PutOff> ofKey = byKey.get(key);
            return ofKey == null
                    ? Optional.empty()
                    : ofKey.values().stream()
                            .filter(each -> !each.hasLapsed(now)
                                    && !inTurn.contains(each.place().key()))
                            .findFirst();
        }

        /** Returns a time after the other one's. The longer that one is missing, the more rarely it is looked for. */
        private Instant nextLook(Instant until) {
            Duration missing = Duration.between(until, now);
            return missing.isNegative() ? until.plus(TICK) : now.plus(missing.compareTo(TICK) < 0 ? TICK : missing);
        }
    }

    /**
     * Forgets the timers that a read of all due timers did not show, although they must be due.
     *
     * @param shown the timers that it showed, or that are in a call
     * @param to the time up to which it showed all
     */
    void forgetUnlessShown(Set<TimerKey> shown, Instant to) {
        Iterator<Map.Entry<TimerKey, PutOff>> each = all.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<TimerKey, PutOff> entry = each.next();
            PutOff timer = entry.getValue();
            if (!timer.until().plus(WRITING).isAfter(to) && !shown.contains(entry.getKey())) {
                each.remove();
                removeFromKey(timer);
            }
        }
    }
}

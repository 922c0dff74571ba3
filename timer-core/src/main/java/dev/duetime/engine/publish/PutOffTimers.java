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
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
    private static final int MOST = 10_000;

    /** A timer that no read has shown for so long was cancelled, or another node has it. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Until the new time is certainly written. */
    private static final Duration WRITING = Duration.ofSeconds(1);

    private static final Duration TICK = Duration.ofMillis(1);

    private final Map<TimerKey, PutOff> all = new LinkedHashMap<>();
    private final Map<String, NavigableMap<DeliveryOrder.Place, PutOff>> byKey = new HashMap<>();

    private record PutOff(String parallelKey, DeliveryOrder.Place place, Instant until) {}

    /** Adds a timer, if others must wait for it. */
    void add(StoredTimer timer, Instant until) {
        String key = timer.content().parallelKey();
        if (key == null || Lane.of(timer).isRetry()) {
            return;
        }
        forget(timer.key());
        PutOff added = new PutOff(key, DeliveryOrder.Place.of(timer), until);
        all.put(timer.key(), added);
        byKey.computeIfAbsent(key, first -> new TreeMap<>()).put(added.place(), added);
        if (all.size() > MOST) {
            forget(all.keySet().iterator().next());
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
     * Returns until when a timer must wait for an earlier one of its parallel key that is put off; null if it need not
     * wait.
     *
     * @param here the timers of the turn that do not wait themselves: they come in their order
     */
    @Nullable
    Instant waitsFor(StoredTimer timer, Set<TimerKey> here, Instant now) {
        String key = timer.content().parallelKey();
        NavigableMap<DeliveryOrder.Place, PutOff> ofKey = key == null ? null : byKey.get(key);
        if (ofKey == null) {
            return null;
        }
        NavigableMap<DeliveryOrder.Place, PutOff> earlier =
                ofKey.headMap(DeliveryOrder.Place.of(timer), false).descendingMap();
        for (PutOff each : earlier.values()) {
            if (!here.contains(each.place().key()) && each.until().plus(LONGEST).isAfter(now)) {
                return after(each.until(), now);
            }
        }
        return null;
    }

    /** The longer the earlier timer is missing, the more rarely the later one looks for it. */
    private static Instant after(Instant until, Instant now) {
        Duration missing = Duration.between(until, now);
        return missing.isNegative() ? until : now.plus(missing.compareTo(TICK) < 0 ? TICK : missing);
    }

    /**
     * Forgets the timers that a read of all due timers did not show, although they must be due.
     *
     * @param read the timers that it showed
     * @param to the time up to which it showed all
     */
    void missed(List<StoredTimer> read, Instant to) {
        Set<TimerKey> shown = read.stream().map(StoredTimer::key).collect(Collectors.toSet());
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

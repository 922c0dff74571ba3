package dev.duetime.engine.publish;

import dev.duetime.PayloadCodec;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.internal.timer.StoredTimers;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The sorting of open timers: those that are expected to get through, and those to be published apart. Used by one
 * thread.
 */
final class ParcelSorter {
    private final FailingLanes failing;
    private final PutOffTimers waiting;
    private final PayloadCodec codec;
    private final BiConsumer<StoredTimer, Instant> putOff;

    /**
     * Creates a sorter.
     *
     * @param putOff called with each timer that must wait for an earlier one of its parallel key, and until when
     */
    ParcelSorter(
            FailingLanes failing, PutOffTimers waiting, PayloadCodec codec, BiConsumer<StoredTimer, Instant> putOff) {
        this.failing = failing;
        this.waiting = waiting;
        this.codec = codec;
        this.putOff = putOff;
    }

    /**
     * Adds a parcel for each timer to one of the lists. A timer that follows one of its parallel key in {@code apart}
     * goes there, too, and shares its lane.
     */
    void sort(List<StoredTimer> open, Instant now, List<Parcel> fresh, List<Parcel> apart) {
        Map<String, Lane> lanes = new HashMap<>();
        Set<String> apartKeys = new HashSet<>();
        Set<TimerKey> here = keysOf(waiting.isEmpty() ? List.of() : open);
        for (StoredTimer timer : open) {
            Instant until = waiting.waitsFor(timer, here, now);
            if (until != null) {
                putOff.accept(timer, until);
                here.remove(timer.key());
                continue;
            }
            Lane own = Lane.of(timer);
            String key = timer.content().parallelKey();
            Lane lane = key == null ? own : lanes.getOrDefault(key, own);
            boolean isApart = own.isRetry() || failing.isFailing(lane) || (key != null && apartKeys.contains(key));
            if (key != null && isApart && apartKeys.add(key)) {
                lane = own;
            }
            if (key != null) {
                lanes.put(key, lane);
            }
            Parcel parcel = new Parcel(timer, StoredTimers.envelope(timer, timer.attempt() + 1, now, codec), lane);
            (isApart ? apart : fresh).add(parcel);
        }
    }

    private static Set<TimerKey> keysOf(List<StoredTimer> timers) {
        return timers.stream().map(StoredTimer::key).collect(Collectors.toCollection(HashSet::new));
    }
}

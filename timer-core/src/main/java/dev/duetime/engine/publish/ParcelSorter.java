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
import java.util.stream.Stream;

/**
 * The sorting of open timers: those that are expected to get through, and those to be published apart. Used by one
 * thread.
 */
final class ParcelSorter {
    private final FailingLanes failing;
    private final PutOffTimers putOffTimers;
    private final PayloadCodec codec;
    private final BiConsumer<StoredTimer, Instant> putOff;

    /**
     * Creates a sorter.
     *
     * @param putOff called with each timer that must wait for an earlier one of its parallel key, and until when
     */
    ParcelSorter(
            FailingLanes failing,
            PutOffTimers putOffTimers,
            PayloadCodec codec,
            BiConsumer<StoredTimer, Instant> putOff) {
        this.failing = failing;
        this.putOffTimers = putOffTimers;
        this.codec = codec;
        this.putOff = putOff;
    }

    /**
     * Adds a parcel for each timer to one of the lists. A timer that follows one of its parallel key in {@code apart}
     * goes there, too, and shares its lane.
     *
     * @param inCalls the timers that are being published
     */
    void sort(List<StoredTimer> open, List<StoredTimer> inCalls, Instant now, List<Parcel> fresh, List<Parcel> apart) {
        Map<String, Lane> lanes = new HashMap<>();
        Set<String> apartKeys = new HashSet<>();
        PutOffTimers.Turn turn = putOffTimers.turn(putOffTimers.isEmpty() ? Set.of() : keysOf(open, inCalls), now);
        for (StoredTimer timer : open) {
            Instant until = turn.waitsFor(timer);
            if (until != null) {
                putOff.accept(timer, until);
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

    private static Set<TimerKey> keysOf(List<StoredTimer> open, List<StoredTimer> inCalls) {
        return Stream.concat(open.stream(), inCalls.stream())
                .map(StoredTimer::key)
                .collect(Collectors.toSet());
    }
}

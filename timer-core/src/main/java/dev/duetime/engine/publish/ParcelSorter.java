package dev.duetime.engine.publish;

import dev.duetime.PayloadCodec;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.DoubtedTimers;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.PutOffTimers;
import dev.duetime.engine.lanes.TenantKey;
import dev.duetime.internal.timer.StoredTimers;
import java.time.Instant;
import java.util.HashMap;
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
    private final DoubtedTimers doubted;
    private final KeyOrder order;
    private final PayloadCodec codec;
    private final BiConsumer<StoredTimer, Instant> putOff;

    /**
     * Creates a sorter.
     *
     * @param order is told of all parcels, in their order
     * @param putOff called with each timer that must wait for an earlier one of its parallel key, and until when
     */
    ParcelSorter(
            FailingLanes failing,
            PutOffTimers putOffTimers,
            DoubtedTimers doubted,
            KeyOrder order,
            PayloadCodec codec,
            BiConsumer<StoredTimer, Instant> putOff) {
        this.failing = failing;
        this.putOffTimers = putOffTimers;
        this.doubted = doubted;
        this.order = order;
        this.codec = codec;
        this.putOff = putOff;
    }

    /**
     * Adds a parcel for each timer to one of the lists. A timer that follows one of its parallel key and tenant in
     * {@code apart} goes there, too, and shares its lane. It does not follow a retry, since others overtake a timer
     * that has failed. Nor does it follow a timer of another tenant, whose lane may fail for long. The others of a
     * parallel key share a lane, so that a search keeps their order.
     *
     * @param inCalls the timers that are being published
     */
    void sort(List<StoredTimer> open, List<StoredTimer> inCalls, Instant now, List<Parcel> fresh, List<Parcel> apart) {
        Map<String, Lane> freshLanes = new HashMap<>();
        Map<TenantKey, Lane> apartLanes = new HashMap<>();
        order.clear();
        PutOffTimers.Turn turn = putOffTimers.turn(putOffTimers.isEmpty() ? Set.of() : keysOf(open, inCalls), now);
        for (StoredTimer timer : open) {
            Instant until = turn.waitsFor(timer);
            if (until != null) {
                putOff.accept(timer, until);
                continue;
            }
            Lane of = Lane.of(timer);
            TenantKey key = of.isRetry() ? null : TenantKey.of(timer);
            Lane own = doubted.contains(timer) ? of.ofRetries() : of;
            boolean isApart = own.isRetry() || failing.isFailing(own) || (key != null && apartLanes.containsKey(key));
            Lane lane = own;
            if (key != null) {
                lane = isApart
                        ? apartLanes.computeIfAbsent(key, first -> own)
                        : freshLanes.computeIfAbsent(key.parallelKey(), first -> own);
            }
            Parcel parcel = new Parcel(timer, StoredTimers.envelope(timer, timer.attempt() + 1, now, codec), lane);
            order.add(parcel);
            (isApart ? apart : fresh).add(parcel);
        }
    }

    private static Set<TimerKey> keysOf(List<StoredTimer> open, List<StoredTimer> inCalls) {
        return Stream.concat(open.stream(), inCalls.stream())
                .map(StoredTimer::key)
                .collect(Collectors.toSet());
    }
}

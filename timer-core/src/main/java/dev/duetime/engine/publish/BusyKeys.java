package dev.duetime.engine.publish;

import dev.duetime.engine.lanes.DealtBatches;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.SlowShare;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The parallel keys of the timers in calls, and of timers that wait for the end of one. Used by the loop's thread. */
final class BusyKeys {
    /** Bounds the statement that leaves out timers whose parallel key is busy. */
    private static final int MOST_LEFT_OUT = 1_000;

    /** Bounds how much larger a read becomes. */
    private static final int MOST_STUCK = 10_000;

    private final Collection<CallThread> threads;
    private final int mostOfKey;

    private Set<String> waiting = new HashSet<>();

    /** How many timers wait whose keys a read does not leave out. */
    private int stuck;

    /**
     * Creates the keys of a queue.
     *
     * @param mostOfKey in how many calls a parallel key may be
     */
    BusyKeys(Collection<CallThread> threads, int mostOfKey) {
        this.threads = threads;
        this.mostOfKey = mostOfKey;
    }

    /** Returns the keys that the next read leaves out, because their timers cannot begin now. */
    Set<String> leftOut() {
        Set<String> busy = busy();
        busy.retainAll(waiting);
        return busy;
    }

    /** Returns the keys that are in as many calls as they may be. */
    Set<String> busy() {
        Map<String, Integer> counts = calls();
        counts.values().removeIf(count -> count < mostOfKey);
        return new HashSet<>(counts.keySet());
    }

    /** Returns in how many calls each key is. */
    Map<String, Integer> calls() {
        Map<String, Integer> counts = new HashMap<>();
        for (CallThread thread : threads) {
            Set<String> keys = new HashSet<>();
            thread.batch().forEach(parcel -> add(keys, parcel));
            keys.forEach(key -> counts.merge(key, 1, Integer::sum));
        }
        return counts;
    }

    static void add(Set<String> keys, Parcel parcel) {
        String key = parcel.timer().content().parallelKey();
        if (key != null) {
            keys.add(key);
        }
    }

    static boolean isOf(Set<String> keys, Parcel parcel) {
        String key = parcel.timer().content().parallelKey();
        return key != null && keys.contains(key);
    }

    /** Begins to count what waits. What the last read has left out still waits. */
    void beginTurn() {
        waiting = leftOut();
        stuck = 0;
    }

    /** Notes that a timer must wait for the end of a call. */
    void waits(Parcel parcel) {
        if (parcel.timer().content().parallelKey() == null || isOf(waiting, parcel)) {
            return;
        }
        if (waiting.size() < MOST_LEFT_OUT) {
            add(waiting, parcel);
        } else {
            stuck = Math.min(stuck + 1, MOST_STUCK);
        }
    }

    /** Returns how many timers of busy keys the next read may return: they take no room from the others. */
    int stuck() {
        return stuck;
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Removes the parcels whose key is in as many calls as it may be. The next read leaves them out. */
    void removeFrom(List<Parcel> parcels) {
        Set<String> busy = busy();
        parcels.stream().filter(each -> isOf(busy, each)).forEach(this::waits);
        parcels.removeIf(each -> isOf(busy, each));
    }

    /**
     * Deals timers to calls. One that finds no place waits, and so do those of the same part that follow with its key.
     * It does not hold up another part: a retry of its key has calls of its own, and may begin before it.
     *
     * @param calls in how many calls each key is; changed by what is dealt
     * @param busy the keys that are in as many calls as they may be
     */
    List<List<Parcel>> deal(SlowShare.Part part, Map<String, Integer> calls, Set<String> busy) {
        List<Parcel> parcels = part.parcels();
        Set<String> waitingKeys = new HashSet<>(busy);
        DealtBatches batches = new DealtBatches(part.calls(), parcels.size(), part.batchSize(), mostOfKey, calls);
        for (Parcel parcel : parcels) {
            if (isOf(waitingKeys, parcel) || !batches.add(parcel)) {
                add(waitingKeys, parcel);
                waits(parcel);
            }
        }
        return batches.filled();
    }
}

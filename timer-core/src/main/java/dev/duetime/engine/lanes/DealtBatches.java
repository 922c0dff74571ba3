package dev.duetime.engine.lanes;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The timers of one read, divided evenly among calls. Used by one thread. */
public final class DealtBatches {
    private final List<List<Parcel>> all = new ArrayList<>();
    private final List<Set<String>> keys = new ArrayList<>();
    private final int size;
    private final int mostOfKey;
    private final Map<String, Integer> calls;
    private int next;

    /**
     * Creates empty batches.
     *
     * @param count how many calls
     * @param timers how many timers there are
     * @param batchSize how many timers a call takes at most
     * @param mostOfKey in how many calls a parallel key may be
     * @param calls in how many calls each parallel key is; changed by what is added
     */
    public DealtBatches(int count, int timers, int batchSize, int mostOfKey, Map<String, Integer> calls) {
        this.mostOfKey = mostOfKey;
        this.calls = calls;
        for (int i = 0; i < count; i++) {
            all.add(new ArrayList<>());
            keys.add(new HashSet<>());
        }
        size = count == 0 ? 0 : Math.min(batchSize, (timers + count - 1) / count);
    }

    /** Adds a timer to the batch of its parallel key, else to the next one in turn. Returns whether it has room. */
    public boolean add(Parcel parcel) {
        String key = parcel.timer().content().parallelKey();
        boolean isFull = key != null && calls.getOrDefault(key, 0) >= mostOfKey;
        int place = key != null && isFull ? placeOf(key) : nextWithRoom();
        if (place < 0 || all.get(place).size() >= size) {
            return false;
        }
        if (key != null && keys.get(place).add(key)) {
            calls.merge(key, 1, Integer::sum);
        }
        all.get(place).add(parcel);
        return true;
    }

    /** Returns the smallest batch that holds the key; -1 if none does. */
    private int placeOf(String key) {
        int place = -1;
        for (int i = 0; i < all.size(); i++) {
            boolean isSmaller = place < 0 || all.get(i).size() < all.get(place).size();
            place = keys.get(i).contains(key) && isSmaller ? i : place;
        }
        return place;
    }

    private int nextWithRoom() {
        for (int i = 0; i < all.size(); i++) {
            int place = (next + i) % all.size();
            if (all.get(place).size() < size) {
                next = place + 1;
                return place;
            }
        }
        return -1;
    }

    public List<List<Parcel>> filled() {
        return all.stream().filter(each -> !each.isEmpty()).toList();
    }
}

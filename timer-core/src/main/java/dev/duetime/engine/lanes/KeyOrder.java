package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The order of the timers of a turn that have a parallel key. Whatever lane a timer is in, and whoever publishes it, it
 * does not begin before the earlier ones of its key and tenant. A retry has no place in this order: others overtake a
 * timer that has failed. Used by one thread.
 */
public final class KeyOrder {
    private final boolean isKept;
    private final Predicate<StoredTimer> isTried;
    private final Map<TenantKey, List<Parcel>> byKey = new HashMap<>();

    /**
     * Creates the order of a queue.
     *
     * @param mostOfKey how many timers of a parallel key may run at once: if several may, there is no order
     * @param isTried whether a timer of this turn was tried, or is in a call
     */
    public KeyOrder(int mostOfKey, Predicate<StoredTimer> isTried) {
        isKept = mostOfKey == 1;
        this.isTried = isTried;
    }

    /** Returns the order of some of these timers alone, of which none has been tried. */
    public KeyOrder of(List<Parcel> parcels) {
        KeyOrder own = new KeyOrder(isKept ? 1 : Integer.MAX_VALUE, each -> false);
        parcels.forEach(own::add);
        return own;
    }

    /** Forgets all timers. */
    public void clear() {
        byKey.clear();
    }

    /** Adds a timer that comes after those of its key that were added before. */
    public void add(Parcel parcel) {
        TenantKey key = isKept ? keyOf(parcel) : null;
        if (key != null) {
            byKey.computeIfAbsent(key, first -> new ArrayList<>()).add(parcel);
        }
    }

    private static @Nullable TenantKey keyOf(Parcel parcel) {
        TenantKey key = TenantKey.of(parcel.timer());
        return key == null || Parcel.Lane.of(parcel.timer()).isRetry() ? null : key;
    }

    /** Returns whether a timer may begin alone. */
    public boolean isNext(Parcel parcel) {
        TenantKey key = keyOf(parcel);
        List<Parcel> ofKey = key == null ? null : byKey.get(key);
        return ofKey == null || new Places(ofKey).isNext(parcel, each -> false);
    }

    /** Returns those of these timers that may begin together. */
    public List<Parcel> inOrder(List<Parcel> parcels) {
        return inOrder(parcels, each -> false);
    }

    /**
     * Returns those of these timers that may begin together.
     *
     * @param isKnown whether a timer was delivered or has failed, although that is not noted yet
     */
    public List<Parcel> inOrder(List<Parcel> parcels, Predicate<Parcel> isKnown) {
        if (byKey.isEmpty()) {
            return parcels;
        }
        Map<TenantKey, Places> places = new HashMap<>();
        List<Parcel> some = new ArrayList<>(parcels.size());
        for (Parcel each : parcels) {
            TenantKey key = keyOf(each);
            List<Parcel> ofKey = key == null ? null : byKey.get(key);
            if (key == null
                    || ofKey == null
                    || places.computeIfAbsent(key, first -> new Places(ofKey)).isNext(each, isKnown)) {
                some.add(each);
            }
        }
        return some;
    }

    /** How far the timers of a key have come. */
    private final class Places {
        private final List<Parcel> ofKey;
        private int next;

        Places(List<Parcel> ofKey) {
            this.ofKey = ofKey;
        }

        boolean isNext(Parcel parcel, Predicate<Parcel> isKnown) {
            while (next < ofKey.size()
                    && isOver(ofKey.get(next), isKnown)
                    && !ofKey.get(next).equals(parcel)) {
                next++;
            }
            boolean isNext = next < ofKey.size() && ofKey.get(next).equals(parcel);
            next += isNext ? 1 : 0;
            return isNext;
        }

        private boolean isOver(Parcel parcel, Predicate<Parcel> isKnown) {
            return isTried.test(parcel.timer()) || isKnown.test(parcel);
        }
    }
}

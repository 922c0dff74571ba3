package dev.duetime.jdbc.internal.row;

import dev.duetime.TimerKey;
import dev.duetime.store.Settlement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The places in which due rows of PostgreSQL were read, their {@code ctid}. A row is found by its place in half of the
 * time that its key takes.
 *
 * <p>A place is only a hint: it can be missing, or the row can have moved, and two rows can be mistaken for each other.
 * So a statement also compares key and generation, and what it does not find is looked for by key. That makes room for
 * all places in half a megabyte: a slot holds the place and 16 bits that tell rows apart. Thread-safe.
 */
public final class Places {
    private static final int SLOTS = 1 << 16;
    private static final int LAST = SLOTS - 1;
    /** How many slots a row may lie in. */
    private static final int PROBES = 8;

    private static final int OFFSET_BITS = 16;
    private static final int PLACE_BITS = 48;
    private static final long PLACE = (1L << PLACE_BITS) - 1;

    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

    /**
     * Notes the place of a row.
     *
     * @param place as PostgreSQL writes it, for instance {@code (17,4)}
     */
    public void note(TimerKey key, long generation, String place) {
        long hash = hash(key, generation);
        long noted = tag(hash) | parse(place);
        int first = (int) hash & LAST;
        for (int i = 0; i < PROBES; i++) {
            int slot = (first + i) & LAST;
            long standing = slots.get(slot);
            if (standing == 0 || (standing & ~PLACE) == tag(hash)) {
                slots.set(slot, noted);
                return;
            }
        }
        slots.set(first, noted);
    }

    /** Returns the place of a row and forgets it; null if it is not known. */
    public @Nullable String take(TimerKey key, long generation) {
        long hash = hash(key, generation);
        int slot = slotOf(hash);
        long standing = slot < 0 ? 0 : slots.get(slot);
        if (!isOf(hash, standing)) {
            return null;
        }
        slots.compareAndSet(slot, standing, 0);
        return text(standing & PLACE);
    }

    /** Returns whether the places of all these rows are known, or of none. */
    public boolean knowsAllOrNone(List<? extends Settlement> outcomes) {
        long known = outcomes.stream()
                .filter(each -> slotOf(hash(each.key(), each.generation())) >= 0)
                .count();
        return known == 0 || known == outcomes.size();
    }

    /** Returns the slot of a row; negative if it has none. */
    private int slotOf(long hash) {
        int first = (int) hash & LAST;
        for (int i = 0; i < PROBES; i++) {
            int slot = (first + i) & LAST;
            if (isOf(hash, slots.get(slot))) {
                return slot;
            }
        }
        return -1;
    }

    private static boolean isOf(long hash, long standing) {
        return standing != 0 && (standing & ~PLACE) == tag(hash);
    }

    private static long parse(String place) {
        int comma = place.indexOf(',');
        long block = Long.parseLong(place, 1, comma, 10);
        return block << OFFSET_BITS | Long.parseLong(place, comma + 1, place.length() - 1, 10);
    }

    private static String text(long place) {
        return "(" + (place >>> OFFSET_BITS) + "," + (place & ((1 << OFFSET_BITS) - 1)) + ")";
    }

    private static long tag(long hash) {
        return hash & ~PLACE;
    }

    /** Spreads the bits, as the finalizer of MurmurHash3 does. */
    private static long hash(TimerKey key, long generation) {
        long hash = generation * 31 + key.hashCode();
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}

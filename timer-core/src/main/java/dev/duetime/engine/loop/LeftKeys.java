package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.internal.Times;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parallel keys of timers that reads leave out because their type or tenant waits. A later timer of such a key must
 * wait, too, and so must a timer of which the earlier ones are not known yet. To learn them, one read leaves out no type
 * or tenant. It begins where the known part ends. Used by one thread, or guarded by the lock of its owner.
 */
public final class LeftKeys {
    /** Bounds memory. Later timers of further keys do not wait. */
    private static final int MOST_KNOWN = 10_000;

    /** Bounds the statement that leaves out keys of which a later timer was read. */
    private static final int MOST_LEFT_OUT = 1_000;

    /** The first timer that was left, by key. */
    private final Map<String, Left> firstOf = new HashMap<>();

    /** The keys of which a later timer was read. */
    private final Set<String> asked = new HashSet<>();

    /** All timers up to here were read that belong to the types and tenants which are left out. */
    private Instant knownTo = Instant.MIN;

    private boolean wanted;

    private record Left(String type, String tenant) {

        private boolean isOf(Set<String> types, Set<String> tenants) {
            return types.contains(type) || tenants.contains(tenant);
        }
    }

    /** Notes a timer that was left. Call this in the order in which the timers of a key are delivered. */
    public void add(StoredTimer timer) {
        String key = timer.content().parallelKey();
        if (key != null && firstOf.size() < MOST_KNOWN) {
            firstOf.putIfAbsent(
                    key, new Left(timer.content().type(), timer.key().tenantId()));
        }
    }

    /**
     * Returns whether a timer must wait: an earlier one of its key was left, or may have been left out.
     *
     * @param leavesOut whether the read left out types or tenants
     */
    public boolean mustWait(StoredTimer timer, boolean leavesOut) {
        String key = timer.content().parallelKey();
        if (key == null) {
            return false;
        }
        if (firstOf.containsKey(key)) {
            return asked.contains(key) || (asked.size() < MOST_LEFT_OUT && asked.add(key));
        }
        Instant wakeAt = timer.wakeAt();
        boolean isUnknown = leavesOut && wakeAt != null && wakeAt.isAfter(knownTo);
        wanted |= isUnknown;
        return isUnknown;
    }

    /** Returns whether a timer waits until more timers are known. */
    public boolean areWanted() {
        return wanted;
    }

    /** Begins a read that makes more timers known. Returns from when on it reads. */
    public Instant learn() {
        wanted = false;
        return knownTo;
    }

    /** Notes up to where timers are known. */
    public void knownTo(Instant end) {
        knownTo = end;
    }

    /** Notes that timers are known no further than this. */
    public void knownAtMostTo(Instant end) {
        knownTo = Times.earlier(knownTo, end);
    }

    /** Notes a read that made more timers known. More timers of one instant than a read takes are not all known. */
    public void learned(Instant end, boolean more) {
        knownTo = more && !end.isAfter(knownTo) && !end.equals(Instant.MIN) ? end.plus(1, ChronoUnit.MICROS) : end;
    }

    /** Returns up to where a read has returned all timers. */
    public static Instant endOf(DueTimers read, Instant to) {
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        return read.more() && last != null ? last : to;
    }

    /** Returns the keys that a read leaves out together with these types and tenants. */
    public Set<String> of(Set<String> types, Set<String> tenants) {
        Set<String> keys = new HashSet<>(asked);
        keys.removeIf(key -> !isLeft(firstOf.get(key), types, tenants));
        return keys;
    }

    private static boolean isLeft(@Nullable Left left, Set<String> types, Set<String> tenants) {
        return left != null && left.isOf(types, tenants);
    }

    /** Returns all keys that a read leaves out. */
    public Set<String> leftOut() {
        return new HashSet<>(asked);
    }

    /** Forgets the keys of other types and tenants: the next read returns their timers again, in order. */
    public void retain(Set<String> types, Set<String> tenants) {
        firstOf.values().removeIf(each -> !each.isOf(types, tenants));
        asked.retainAll(firstOf.keySet());
        wanted &= !types.isEmpty() || !tenants.isEmpty();
    }

    /** Returns whether no timer waits for an earlier one that was left. */
    public boolean isEmpty() {
        return asked.isEmpty();
    }
}

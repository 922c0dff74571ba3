package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The timers with parallel keys that were left, by key, type and tenant. Of each such group it knows the first timer
 * and how far the group reaches. Used by one thread, or guarded by the lock of its owner.
 */
final class LeftTimers {
    /** Bounds memory. Later timers of further keys do not wait. */
    private static final int MOST_KEYS = 10_000;

    private static final int MOST_GROUPS = 2 * MOST_KEYS;

    private final Map<String, Map<Lane, Group>> byKey = new HashMap<>();
    private final TreeSet<Group> byFirst = new TreeSet<>(Group.ORDER);

    /** A type and tenant. One of them is null if timers of any type, or of any tenant, are meant. */
    record Lane(@Nullable String type, @Nullable String tenant) {

        boolean isOf(Set<String> types, Set<String> tenants) {
            return (type != null && types.contains(type)) || (tenant != null && tenants.contains(tenant));
        }
    }

    /** The place of a timer in the order of its parallel key. */
    private record Place(Instant wakeAt, Instant registeredAt, TimerKey key) {
        private static final Comparator<Place> ORDER = Comparator.comparing(Place::wakeAt)
                .thenComparing(Place::registeredAt)
                .thenComparing(Place::key);
    }

    /** The timers of one parallel key, type and tenant that were left. */
    static final class Group {
        private static final Comparator<Group> ORDER = Comparator.comparing((Group each) -> each.from)
                .thenComparing(each -> each.key)
                .thenComparing(each -> each.lane, Comparator.comparing(LeftTimers::name));

        final String key;
        final Lane lane;

        /** No timer of the group wakes before this time. */
        private Instant from;

        /** No timer of the group is known that wakes after this time. */
        private Instant to;

        /** The first timer; null if it is not known. */
        private @Nullable Place first;

        private Group(String key, Lane lane, Instant from, Instant to) {
            this.key = key;
            this.lane = lane;
            this.from = from;
            this.to = to;
        }

        /** Returns whether a timer of the group comes before this one, or may do so. */
        private boolean isBefore(Place place) {
            int order = from.compareTo(place.wakeAt);
            return order < 0 || (order == 0 && (first == null || Place.ORDER.compare(first, place) < 0));
        }
    }

    private static String name(Lane lane) {
        return lane.type() + "\n" + lane.tenant();
    }

    private static @Nullable Place place(StoredTimer timer) {
        Instant wakeAt = timer.wakeAt();
        return wakeAt == null ? null : new Place(wakeAt, timer.registeredAt(), timer.key());
    }

    /** Notes a timer that was left. Returns its group; null if it has no key, or if there are too many keys. */
    @Nullable
    Group add(StoredTimer timer) {
        String key = timer.content().parallelKey();
        Place place = place(timer);
        if (key == null || place == null) {
            return null;
        }
        Lane lane = new Lane(timer.content().type(), timer.key().tenantId());
        Group group = group(key, lane, place.wakeAt, place.wakeAt);
        if (group != null) {
            boolean isFirst = group.first == null
                    ? !place.wakeAt.isAfter(group.from)
                    : Place.ORDER.compare(place, group.first) < 0;
            if (isFirst) {
                begin(group, place.wakeAt, place);
            }
            group.to = place.wakeAt.isAfter(group.to) ? place.wakeAt : group.to;
        }
        return group;
    }

    /** Notes the timers of a group of other {@link LeftTimers}. Returns whether there was room. */
    boolean add(Group other) {
        Group group = group(other.key, other.lane, other.from, other.to);
        if (group == null) {
            return false;
        }
        if (!group.from.isBefore(other.from)) {
            begin(group, other.from, other.first);
        }
        group.to = Times.later(group.to, other.to);
        return true;
    }

    /** Notes that a key may have timers of this type or tenant that were not read, from its first timer on. */
    void mayHave(String key, Lane lane, Instant to) {
        Group first = firstOf(key);
        Instant from = first == null ? Instant.MIN : first.from;
        if (from.isBefore(to)) {
            Group group = group(key, lane, from, to);
            if (group != null && !from.isAfter(group.from)) {
                begin(group, from, null);
            }
            if (group != null && group.to.isBefore(to)) {
                group.to = to;
            }
        }
    }

    private @Nullable Group group(String key, Lane lane, Instant from, Instant to) {
        Map<Lane, Group> groups = byKey.get(key);
        Group known = groups == null ? null : groups.get(lane);
        if (known != null) {
            return known;
        }
        if (byFirst.size() >= MOST_GROUPS || (groups == null && byKey.size() >= MOST_KEYS)) {
            return null;
        }
        Group added = new Group(key, lane, from, to);
        byKey.computeIfAbsent(key, each -> new HashMap<>()).put(lane, added);
        byFirst.add(added);
        return added;
    }

    private void begin(Group group, Instant from, @Nullable Place first) {
        byFirst.remove(group);
        group.from = from;
        group.first = first;
        byFirst.add(group);
    }

    /**
     * Notes a read: of the groups that it included, no timer is left there. Then those that were left are added again.
     *
     * @param from where it began
     * @param end the time before which it returned all timers
     * @param but what it left out
     */
    void wereRead(Instant from, Instant end, Exclusion but) {
        List<Group> seen = new ArrayList<>();
        for (Group each : byFirst.tailSet(new Group("", new Lane(null, null), from, from))) {
            if (!each.from.isBefore(end)) {
                break;
            }
            if (!but.parallelKeys().contains(each.key) && !each.lane.isOf(but.types(), but.tenants())) {
                seen.add(each);
            }
        }
        for (Group each : seen) {
            if (each.to.isBefore(end)) {
                remove(each);
            } else {
                begin(each, end, null);
            }
        }
    }

    /**
     * Returns whether an earlier timer of its key was left that a read does not return.
     *
     * @param from where the read began
     * @param but what it left out
     */
    boolean holdBack(StoredTimer timer, Instant from, Exclusion but) {
        Place place = place(timer);
        return place != null
                && groups(timer.content().parallelKey()).stream()
                        .anyMatch(each -> each.isBefore(place)
                                && (each.from.isBefore(from) || each.lane.isOf(but.types(), but.tenants())));
    }

    /** Returns whether the first timer of a key that was left is of these types or tenants. */
    boolean isFirstOf(String key, Set<String> types, Set<String> tenants) {
        Group first = firstOf(key);
        return first != null && first.lane.isOf(types, tenants);
    }

    private @Nullable Group firstOf(String key) {
        return groups(key).stream().min(Group.ORDER).orElse(null);
    }

    private Collection<Group> groups(@Nullable String key) {
        Map<Lane, Group> groups = key == null ? null : byKey.get(key);
        return groups == null ? List.of() : groups.values();
    }

    /** Forgets a group. Returns whether it was known. */
    boolean remove(Group group) {
        Map<Lane, Group> groups = byKey.get(group.key);
        if (groups == null || !groups.remove(group.lane, group)) {
            return false;
        }
        byFirst.remove(group);
        if (groups.isEmpty()) {
            byKey.remove(group.key);
        }
        return true;
    }

    boolean contains(String key) {
        return byKey.containsKey(key);
    }

    /** Returns whether a timer of a type or tenant was left. */
    boolean anyIs(Predicate<Lane> which) {
        return byFirst.stream().anyMatch(each -> which.test(each.lane));
    }

    void clear() {
        byKey.clear();
        byFirst.clear();
    }
}

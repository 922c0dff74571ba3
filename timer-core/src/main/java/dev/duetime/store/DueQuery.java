package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A query for due timers.
 *
 * @param queue the queue
 * @param shards the shards to read, those that the asking node owns
 * @param from the earliest time: only timers with {@code wakeAt >= from} count; any instant is legal
 * @param now the time; timers with {@code wakeAt <= now} are due
 * @param limit how many at most, at least 1
 * @param but the due timers to leave out
 * @param bytes how many bytes of timers at most, at least 1: their payloads, headers and last errors, about. The oldest
 *     timer is returned even if it is larger
 * @param held the generations, by key, that the asking node has already: they count for the limit but not for the
 *     bytes, and may be left out
 */
@Beta
public record DueQuery(
        String queue,
        Collection<Integer> shards,
        Instant from,
        Instant now,
        int limit,
        Exclusion but,
        long bytes,
        Map<TimerKey, Long> held) {

    /** Copies the shards and the held generations. */
    public DueQuery {
        shards = List.copyOf(shards);
        held = Map.copyOf(held);
    }

    /** Creates a query with exclusions and without a limit of bytes. */
    public DueQuery(String queue, Collection<Integer> shards, Instant from, Instant now, int limit, Exclusion but) {
        this(queue, shards, from, now, limit, but, Long.MAX_VALUE, Map.of());
    }

    /** Creates a query for all due timers from an instant on. */
    public DueQuery(String queue, Collection<Integer> shards, Instant from, Instant now, int limit) {
        this(queue, shards, from, now, limit, Exclusion.NONE);
    }

    /** Creates a query for all due timers, from the oldest on. */
    public DueQuery(String queue, Collection<Integer> shards, Instant now, int limit) {
        this(queue, shards, Instant.MIN, now, limit);
    }

    /** Returns whether the asking node has this timer already. */
    public boolean isHeld(TimerKey key, long generation) {
        Long known = held.get(key);
        return known != null && known == generation;
    }

    /**
     * The timers that a query leaves out. Its cost is a range of the index that is as long as the excluded part.
     *
     * @param parallelKeys timers with one of these keys are left out
     * @param types timers of these types are left out
     * @param tenants timers of these tenants are left out, except those with {@code priority > upTo}
     * @param upTo see {@code tenants}
     * @param only if it is not empty, all timers without one of these parallel keys are left out. A timer that another
     *     component leaves out stays left out
     */
    public record Exclusion(
            Set<String> parallelKeys, Set<String> types, Set<String> tenants, int upTo, Set<String> only) {
        /** The exclusion of no timers. */
        public static final Exclusion NONE = new Exclusion(Set.of(), Set.of(), Integer.MAX_VALUE);

        /** Copies the sets. */
        public Exclusion {
            parallelKeys = Set.copyOf(parallelKeys);
            types = Set.copyOf(types);
            tenants = Set.copyOf(tenants);
            only = Set.copyOf(only);
        }

        /** Creates an exclusion of keys, types and tenants. */
        public Exclusion(Set<String> parallelKeys, Set<String> types, Set<String> tenants, int upTo) {
            this(parallelKeys, types, tenants, upTo, Set.of());
        }

        /** Creates an exclusion of keys and tenants. */
        public Exclusion(Set<String> parallelKeys, Set<String> tenants, int upTo) {
            this(parallelKeys, Set.of(), tenants, upTo);
        }

        /** Returns whether a timer is left out. */
        public boolean contains(StoredTimer timer) {
            String key = timer.content().parallelKey();
            return types.contains(timer.content().type())
                    || (key != null && parallelKeys.contains(key))
                    || (!only.isEmpty() && (key == null || !only.contains(key)))
                    || (timer.content().priority() <= upTo
                            && tenants.contains(timer.key().tenantId()));
        }

        /** Returns whether no timers are left out. */
        public boolean isNothing() {
            return parallelKeys.isEmpty() && types.isEmpty() && tenants.isEmpty() && only.isEmpty();
        }
    }
}

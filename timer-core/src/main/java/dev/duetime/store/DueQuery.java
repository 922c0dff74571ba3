package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A question for what is due.
 *
 * @param queue the queue
 * @param shards the shards to read, those that the asking node owns
 * @param from where to begin: only timers with {@code wakeAt >= from} count; any instant is legal
 * @param now the time; timers with {@code wakeAt <= now} are due
 * @param limit how many at most, at least 1
 * @param but what is left out although it is due
 * @param bytes how many bytes of payloads at most, at least 1; the oldest timer is returned however large it is
 * @param held generations, by key, that the asking node has already: they count for the limit and not for the bytes,
 *     and may be left out
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

    /** Copies the shards and what is held. */
    public DueQuery {
        shards = List.copyOf(shards);
        held = Map.copyOf(held);
    }

    /** Asks for all but what is left out, however large that is. */
    public DueQuery(String queue, Collection<Integer> shards, Instant from, Instant now, int limit, Exclusion but) {
        this(queue, shards, from, now, limit, but, Long.MAX_VALUE, Map.of());
    }

    /** Returns whether the asking node has this timer already. */
    public boolean isHeld(TimerKey key, long generation) {
        Long known = held.get(key);
        return known != null && known == generation;
    }

    /** Asks for all that is due from an instant on. */
    public DueQuery(String queue, Collection<Integer> shards, Instant from, Instant now, int limit) {
        this(queue, shards, from, now, limit, Exclusion.NONE);
    }

    /** Asks for all that is due, from the oldest on. */
    public DueQuery(String queue, Collection<Integer> shards, Instant now, int limit) {
        this(queue, shards, Instant.MIN, now, limit);
    }

    /**
     * The timers that a query leaves out. Its cost is a range of the index that is as long as the excluded part.
     *
     * @param parallelKeys timers with one of these keys are left out
     * @param tenants timers of these tenants are left out, but for those with {@code priority > upTo}
     * @param upTo see {@code tenants}
     */
    public record Exclusion(Set<String> parallelKeys, Set<String> tenants, int upTo) {
        /** Leaves out nothing. */
        public static final Exclusion NONE = new Exclusion(Set.of(), Set.of(), Integer.MAX_VALUE);

        /** Copies the sets. */
        public Exclusion {
            parallelKeys = Set.copyOf(parallelKeys);
            tenants = Set.copyOf(tenants);
        }
    }
}

package dev.duetime.store;

import dev.duetime.Beta;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/**
 * A hint from a node that scheduled timers to the owners of their shards: read the timers that are due soon. Or a hint
 * to all nodes that deliver the queue: {@linkplain #ofShards read the leases of its shards}.
 *
 * @param queue their queue
 * @param shards the shards in which they lie; empty if any shard may hold one
 * @param dueAt when the first of them is due; in the past if that is not known
 */
@Beta
public record WakeUp(String queue, Set<Integer> shards, Instant dueAt) {

    /** The due time in a hint at shards, and not at timers. It is later than that of any timer. */
    public static final Instant NO_TIMER = Instant.parse("+100000-01-01T00:00:00Z");

    /** Copies the shards. */
    public WakeUp {
        shards = Set.copyOf(shards);
    }

    /** Returns a hint that shards of the queue are free, or that a node waits for its share of them. */
    public static WakeUp ofShards(String queue, Set<Integer> shards) {
        return new WakeUp(queue, shards, NO_TIMER);
    }

    /** Returns whether this is a hint at shards, and not at timers. */
    public boolean isOfShards() {
        return dueAt.equals(NO_TIMER);
    }

    /** Returns one hint that replaces this one and another one of the same queue. */
    public WakeUp with(WakeUp other) {
        Set<Integer> both = new TreeSet<>();
        if (!shards.isEmpty() && !other.shards.isEmpty()) {
            both.addAll(shards);
            both.addAll(other.shards);
        }
        return new WakeUp(queue, both, dueAt.isBefore(other.dueAt) ? dueAt : other.dueAt);
    }
}

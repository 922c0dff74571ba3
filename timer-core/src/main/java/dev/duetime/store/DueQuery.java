package dev.duetime.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Asks for what is due.
 *
 * @param queue the queue
 * @param shards the shards to read, those that the asking node owns
 * @param from where to begin: only timers with {@code wakeAt >= from} count; any instant is legal
 * @param now the time; timers with {@code wakeAt <= now} are due
 * @param limit how many at most, at least 1
 */
public record DueQuery(String queue, Collection<Integer> shards, Instant from, Instant now, int limit) {

    /** Copies the shards. */
    public DueQuery {
        shards = List.copyOf(shards);
    }

    /** Asks for all that is due, from the oldest on. */
    public DueQuery(String queue, Collection<Integer> shards, Instant now, int limit) {
        this(queue, shards, Instant.MIN, now, limit);
    }
}

package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Clears a backlog of timers that have expired without reading them, where nobody wants to be told of each: to read them,
 * and to find them again by their keys, is most of what it costs to end them. Used by one thread.
 */
final class ExpiredBacklog {
    /** Bounds how long rows are locked by one statement. */
    private static final int AT_ONCE = 5_000;

    /** What is not over waits no longer than that. */
    private static final long LONGEST_NANOS = Duration.ofMillis(500).toNanos();

    private final QueueSettings queue;
    private final ScheduleStore store;
    private final Clock clock;
    private final ShardOwner owner;
    private final Listeners listeners;

    ExpiredBacklog(QueueSettings queue, ScheduleStore store, Clock clock, ShardOwner owner, Listeners listeners) {
        this.queue = queue;
        this.store = store;
        this.clock = clock;
        this.owner = owner;
        this.listeners = listeners;
    }

    /**
     * Clears what it can in a while. What is due and has not expired is left, and ends it where it is as much as what has.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void clear(Set<Integer> shards) {
        if (listeners.wantsEachExpired()) {
            return;
        }
        long began = clock.nanoTime();
        for (int shard : shards) {
            int ended = AT_ONCE;
            while (ended > AT_ONCE / 2) {
                if (clock.nanoTime() - began > LONGEST_NANOS
                        || !owner.owned(queue.name()).contains(shard)) {
                    return;
                }
                ended = clear(shard);
            }
        }
    }

    private int clear(int shard) {
        boolean keep = !queue.retention().isZero();
        Map<String, Integer> ended = store.expire(queue.name(), shard, clock.now(), keep, AT_ONCE);
        ended.forEach((type, count) -> listeners.expired(queue.name(), type, count));
        return ended.values().stream().mapToInt(each -> each).sum();
    }
}

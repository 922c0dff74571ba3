package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * A backlog of expired timers. If no listener wants an event for each timer, they are ended without being read. Most of
 * the cost of ending a timer is to read it, and to find it again by its key. Used by one thread.
 */
final class ExpiredBacklog {
    /** How many due timers one statement examines. This limits how long it locks rows. */
    private static final int AT_ONCE = 5_000;

    /** The time limit of one turn. Other timers wait meanwhile. */
    private static final long LONGEST_NANOS = Duration.ofMillis(500).toNanos();

    private final QueueSettings queue;
    private final ScheduleStore store;
    private final Clock clock;
    private final ShardOwner owner;
    private final Listeners listeners;

    /** The shard to begin with. */
    private int next;

    ExpiredBacklog(QueueSettings queue, ScheduleStore store, Clock clock, ShardOwner owner, Listeners listeners) {
        this.queue = queue;
        this.store = store;
        this.clock = clock;
        this.owner = owner;
        this.listeners = listeners;
    }

    /**
     * Ends expired timers for a limited time, and continues from the same shard in the next turn. Due timers that have
     * not expired stay. If a statement ends at most half as many timers as it may examine, the next shard follows.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void clear(Set<Integer> shards) {
        if (listeners.wantsEachExpired()) {
            return;
        }
        long began = clock.nanoTime();
        for (int shard : inTurn(shards)) {
            next = shard;
            int ended = AT_ONCE;
            while (ended > AT_ONCE / 2) {
                if (clock.nanoTime() - began > LONGEST_NANOS) {
                    return;
                }
                ended = owner.owned(queue.name()).contains(shard) ? clear(shard) : 0;
            }
        }
    }

    /** Returns the shards, beginning with the one where the last turn ended. */
    private List<Integer> inTurn(Set<Integer> shards) {
        NavigableSet<Integer> sorted = new TreeSet<>(shards);
        List<Integer> inTurn = new ArrayList<>(sorted.tailSet(next, true));
        inTurn.addAll(sorted.headSet(next, false));
        return inTurn;
    }

    private int clear(int shard) {
        boolean keep = !queue.retention().isZero();
        Map<String, Integer> ended = store.expire(queue.name(), shard, clock.now(), keep, AT_ONCE);
        ended.forEach((type, count) -> listeners.expired(queue.name(), type, count));
        return ended.values().stream().mapToInt(each -> each).sum();
    }
}

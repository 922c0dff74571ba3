package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.schedule.RowsApart;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.SetAside;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A backlog of expired timers. If no listener wants an event for each timer, they are ended without being read. Most of
 * the cost of ending a timer is to read it, and to find it again by its key. If the database refuses one of the rows,
 * or another transaction is in the way, the timers of that shard are read for a while: then they are ended one by one.
 * Used by one thread.
 */
final class ExpiredBacklog {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiredBacklog.class);

    /** How many due timers one statement examines. This limits how long it locks rows. */
    private static final int AT_ONCE = 5_000;

    /** The time limit of one turn. Other timers wait meanwhile. */
    private static final long LONGEST_NANOS = Duration.ofMillis(500).toNanos();

    /** For how long a shard is left out if one of its rows fails the statement. */
    private static final long LEFT_NANOS = Duration.ofMinutes(1).toNanos();

    private final QueueSettings queue;
    private final ScheduleStore store;
    private final Clock clock;
    private final ShardOwner owner;
    private final Listeners listeners;
    private final SetAside aside;

    // Mutable state: the shard to begin with, and until when shards are left out.
    private int next;
    private final Map<Integer, Long> leftUntilNanos = new HashMap<>();

    ExpiredBacklog(
            QueueSettings queue,
            ScheduleStore store,
            Clock clock,
            ShardOwner owner,
            Listeners listeners,
            SetAside aside) {
        this.queue = queue;
        this.store = store;
        this.clock = clock;
        this.owner = owner;
        this.listeners = listeners;
        this.aside = aside;
    }

    /**
     * Ends expired timers for a limited time, and continues from the same shard in the next turn. Due timers that have
     * not expired stay. A shard is left out while an outcome of a timer with a deadline is set aside: the timer was
     * delivered, and must not end as expired. If a statement ends at most half as many timers as it may examine, the
     * next shard follows.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void clear(Set<Integer> shards) {
        if (listeners.wantsEachExpired()) {
            return;
        }
        long began = clock.nanoTime();
        Set<Integer> without = aside.shardsThatMayExpire();
        for (int shard : inTurn(shards)) {
            if (without.contains(shard)) {
                continue;
            }
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
        Long leftUntil = leftUntilNanos.get(shard);
        if (leftUntil != null && clock.nanoTime() - leftUntil < 0) {
            return 0;
        }
        boolean keep = !queue.retention().isZero();
        Map<String, Integer> ended;
        try {
            ended = store.expire(queue.name(), shard, clock.now(), keep, AT_ONCE);
        } catch (RuntimeException e) {
            if (!RowsApart.isOfARow(e)) {
                throw e;
            }
            leftUntilNanos.put(shard, clock.nanoTime() + LEFT_NANOS);
            LOG.debug(
                    "expired timers in shard {} of queue {} are read, since they cannot be ended unread: {}",
                    shard,
                    queue.name(),
                    ErrorText.of(e));
            return 0;
        }
        leftUntilNanos.remove(shard);
        ended.forEach((type, count) -> listeners.expired(queue.name(), type, count));
        return ended.values().stream().mapToInt(each -> each).sum();
    }
}

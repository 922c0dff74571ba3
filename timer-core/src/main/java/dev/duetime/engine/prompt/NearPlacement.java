package dev.duetime.engine.prompt;

import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.store.NewTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The placement of timers that are due within the poll interval: into a shard that this node owns. Then this node's own
 * loop wakes, and no other node must learn of the timer. Thread-safe.
 *
 * <p>A timer stays where its hash places it
 *
 * <ul>
 *   <li>if it has a sharding key or a parallel key: one owner must see all timers of the key;
 *   <li>if it is a todo: the owner of its shard does not run one id twice at a time, also if it is cancelled and
 *       enqueued again meanwhile;
 *   <li>if it recurs: it would stay for ever in a shard that was chosen for its first occurrence;
 *   <li>if this node owns no shard of its queue, or its loop does not keep up: another node may be quicker.
 * </ul>
 *
 * <p>What this node knows of its shards may be old. Then the timer lies in the shard of another node, as if its hash
 * had placed it there.
 */
public final class NearPlacement implements UnaryOperator<List<NewTimer>> {
    private final Map<String, Duration> pollIntervals = new HashMap<>();
    private final ShardOwner owner;
    private final QueueLoops loops;

    /**
     * Creates the placement of a node.
     *
     * @param served the queues that the node delivers
     */
    public NearPlacement(List<QueueSettings> served, ShardOwner owner, QueueLoops loops) {
        served.forEach(each -> pollIntervals.put(each.name(), each.pollInterval()));
        this.owner = owner;
        this.loops = loops;
    }

    /** Returns the timers, in the given order, each in the shard where it shall be stored. */
    @Override
    public List<NewTimer> apply(List<NewTimer> timers) {
        List<NewTimer> placed = List.of();
        for (int i = 0; i < timers.size(); i++) {
            NewTimer timer = timers.get(i);
            int shard = shard(timer);
            if (shard != timer.shard()) {
                placed = placed.isEmpty() ? new ArrayList<>(timers) : placed;
                placed.set(i, timer.withShard(shard));
            }
        }
        return placed.isEmpty() ? timers : placed;
    }

    /** Returns the timer in the shard where it shall be stored. */
    public NewTimer apply(NewTimer timer) {
        int shard = shard(timer);
        return shard == timer.shard() ? timer : timer.withShard(shard);
    }

    private int shard(NewTimer timer) {
        if (!isFree(timer)) {
            return timer.shard();
        }
        String queue = timer.content().queue();
        List<Integer> owned = owner.ownedInOrder(queue);
        if (owned.isEmpty() || owner.owned(queue).contains(timer.shard()) || !loops.keepsUp(queue)) {
            return timer.shard();
        }
        // Generations are random, so all shards of this node get the same number of timers.
        return owned.get(Math.floorMod(timer.generation(), owned.size()));
    }

    private boolean isFree(NewTimer timer) {
        Duration pollInterval = pollIntervals.get(timer.content().queue());
        return timer.routingKey() == null
                && pollInterval != null
                && timer.content().step() == null
                && timer.content().recurrence() == null
                && timer.content().dueAt().isBefore(timer.registeredAt().plus(pollInterval));
    }
}

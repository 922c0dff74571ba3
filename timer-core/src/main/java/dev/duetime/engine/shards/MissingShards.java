package dev.duetime.engine.shards;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards whose rows somebody has deleted or renumbered. Without its row no node can own a shard, so its timers
 * would wait for ever. Used by one thread.
 */
final class MissingShards {
    private static final Logger LOG = LoggerFactory.getLogger(MissingShards.class);

    private final ShardLeases leases;
    /** The queues whose missing shards are logged, until they are complete again. */
    private final Set<String> logged = new HashSet<>();

    MissingShards(ShardLeases leases) {
        this.leases = leases;
    }

    /** Restores the missing shards of a queue. Returns the leases afterwards. */
    ShardMap restored(QueueShards queue, ShardMap map) {
        List<Integer> missing = missing(queue, map);
        if (missing.isEmpty()) {
            logged.remove(queue.queue);
            return map;
        }
        if (logged.add(queue.queue)) {
            LOG.error(
                    "{} of the {} shards of queue {} are not in the store any more; this node restores them. Somebody"
                            + " has deleted or changed their rows, which only Duetime may write",
                    missing.size(),
                    queue.shards,
                    queue.queue);
        }
        leases.restore(queue.queue, queue.shards);
        return leases.view(queue.queue);
    }

    private static List<Integer> missing(QueueShards queue, ShardMap map) {
        Set<Integer> present = map.leases().stream().map(Lease::shard).collect(Collectors.toSet());
        return IntStream.range(0, queue.shards)
                .boxed()
                .filter(shard -> !present.contains(shard))
                .toList();
    }
}

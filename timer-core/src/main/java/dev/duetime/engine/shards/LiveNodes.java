package dev.duetime.engine.shards;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes that count as alive, by their leases and announcements. */
public final class LiveNodes {
    private LiveNodes() {}

    /** Returns whether a lease or an announcement counts: it has not ended, and ends no later than it can. */
    public static boolean isAlive(Instant until, Instant now) {
        return !until.isBefore(now) && !until.isAfter(now.plus(ShardLeases.FURTHEST));
    }

    /** Returns the nodes that have announced themselves and are alive now. */
    static Set<String> announced(ShardMap map, Instant now) {
        return map.announced().entrySet().stream()
                .filter(each -> isAlive(each.getValue(), now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }
}

package dev.duetime.engine.shards;

import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The nodes that have announced themselves and take no shard, although shards are free: they died, or their clock was
 * wrong. They have no share until they announce themselves again, so that their part does not lie idle. Used by one
 * thread.
 */
final class SilentNodes {
    private final Map<String, Announcement> waiting = new HashMap<>();

    /**
     * Returns the silent nodes.
     *
     * @param patience for how long shards must have been free: without an owner, or with a lease that has ended
     */
    Set<String> in(ShardMap map, Instant now, long nowNanos, Duration patience) {
        Set<String> owners = map.leases().stream()
                .filter(lease -> lease.isHeld(now))
                .map(Lease::owner)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        Set<String> idle = new HashSet<>(LiveNodes.announced(map, now));
        idle.removeAll(owners);
        boolean areFree = map.leases().stream().anyMatch(lease -> !lease.isHeld(now));
        waiting.keySet().retainAll(idle);
        Set<String> silent = new HashSet<>();
        for (String node : idle) {
            Instant until = Objects.requireNonNull(map.announced().get(node));
            Announcement known = waiting.get(node);
            if (known == null || !known.until.equals(until) || (!areFree && !known.isSilent)) {
                known = new Announcement(until, nowNanos, false);
            } else if (areFree && nowNanos - known.sinceNanos > patience.toNanos()) {
                known = new Announcement(until, known.sinceNanos, true);
            }
            waiting.put(node, known);
            if (known.isSilent) {
                silent.add(node);
            }
        }
        return silent;
    }

    private record Announcement(Instant until, long sinceNanos, boolean isSilent) {}
}

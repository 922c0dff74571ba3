package dev.duetime.store;

import dev.duetime.Beta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A view of who owns which shard of a queue.
 *
 * @param leases one for each shard, by number
 * @param announced until when nodes count as alive, whether they own a shard or not, by node
 */
@Beta
public record ShardMap(List<Lease> leases, Map<String, Instant> announced) {

    /** Returns the nodes that have announced themselves and are alive now. */
    public Set<String> alive(Instant now) {
        return announced.entrySet().stream()
                .filter(each -> lasts(each.getValue(), now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean lasts(Instant until, Instant now) {
        return !until.isBefore(now) && !until.isAfter(now.plus(ShardLeases.FURTHEST));
    }

    /**
     * The ownership of one shard.
     *
     * @param shard its number, from 0
     * @param owner the node; null if it is free
     * @param epoch grows with each acquisition
     * @param until when the lease is over; null if it is free
     */
    public record Lease(
            int shard,
            @Nullable String owner,
            long epoch,
            @Nullable Instant until) {

        /**
         * Returns whether a node owns the shard now, by a lease that has neither ended nor is {@linkplain #isVoid
         * void}.
         */
        public boolean isHeld(Instant now) {
            return owner != null && until != null && lasts(until, now);
        }

        /** Returns whether the lease ends later than any can: see {@link ShardLeases#FURTHEST}. */
        public boolean isVoid(Instant now) {
            return until != null && until.isAfter(now.plus(ShardLeases.FURTHEST));
        }
    }
}

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

    /** Returns all shards. */
    public Set<Integer> shards() {
        return leases.stream().map(Lease::shard).collect(Collectors.toSet());
    }

    /** Returns the shards whose lease names the node, even if the lease has ended. */
    public Set<Integer> heldBy(String node) {
        return leases.stream()
                .filter(lease -> node.equals(lease.owner()))
                .map(Lease::shard)
                .collect(Collectors.toSet());
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
         * Returns whether a node owns the shard now, by a lease that has neither ended nor is void (see {@link
         * ShardLeases#FURTHEST}). Any other shard may be given away: {@link ShardLeases#acquire}.
         */
        public boolean isHeld(Instant now) {
            return owner != null
                    && until != null
                    && !until.isBefore(now)
                    && !until.isAfter(now.plus(ShardLeases.FURTHEST));
        }
    }
}

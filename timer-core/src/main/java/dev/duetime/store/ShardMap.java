package dev.duetime.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows who owns which shard of a queue.
 *
 * @param leases one for each shard, by number
 * @param announced until when nodes count as alive, whether they own a shard or not, by node
 */
public record ShardMap(List<Lease> leases, Map<String, Instant> announced) {

    /**
     * Is the ownership of one shard.
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

        /** Returns whether somebody owns the shard now. */
        public boolean isHeld(Instant now) {
            return owner != null && until != null && !until.isBefore(now);
        }
    }
}

package dev.duetime.engine.shards;

import dev.duetime.Clock;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The renewal of a node's leases. If it may have lost some, it asks the store which ones. Used by the thread of the
 * ownership loop.
 */
final class LeaseRenewal {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);

    private final String self;
    private final ShardLeases leases;
    private final Clock clock;
    private final LeaseTimes times;
    private final ShardBalance balance;
    private final Map<String, QueueShards> heldByQueue;

    LeaseRenewal(
            String self,
            ShardLeases leases,
            Clock clock,
            LeaseTimes times,
            ShardBalance balance,
            Map<String, QueueShards> heldByQueue) {
        this.self = self;
        this.leases = leases;
        this.clock = clock;
        this.times = times;
        this.balance = balance;
        this.heldByQueue = heldByQueue;
    }

    /**
     * Renews all leases.
     *
     * @return whether they had ended before
     * @throws dev.duetime.StoreException if the store failed
     */
    boolean renew() {
        int expected = heldByQueue.values().stream()
                .mapToInt(each -> each.known().size())
                .sum();
        long now = clock.nanoTime();
        int renewed = expected == 0 ? 0 : leases.renew(self, clock.now().plus(times.lease()));
        // After the leases have ended, equal numbers prove nothing. Another node may have taken one shard, while this
        // node acquired another one but lost the reply.
        boolean mayDiffer = expected > 0 && !times.isValid();
        if (renewed != expected) {
            LOG.info("node {} renewed {} leases but expected {}", self, renewed, expected);
        }
        if (renewed != expected || mayDiffer) {
            forgetLost(now);
        }
        return times.renewed(now, expected > 0);
    }

    private void forgetLost(long nowNanos) {
        // If another transaction holds the row of a lease, the lease is not renewed. Other nodes see it end.
        Instant nextRenewal = clock.now().plus(times.untilRenewedAgain());
        Map<String, ShardMap> maps = leases.views(List.copyOf(heldByQueue.keySet()));
        heldByQueue.forEach((queue, held) -> {
            ShardMap map = Objects.requireNonNull(maps.get(queue));
            balance.forgetLost(held, FairShare.lasting(map, self, nextRenewal));
            held.viewAtNanos = nowNanos;
        });
    }

    /** Renews the leases as the last skipped turn would have done; for the clock of a test. */
    void leaveOut() {
        Instant renewedAt = times.leaveOutRenewals();
        if (!renewedAt.equals(Instant.MIN)) {
            leases.renew(self, renewedAt.plus(times.lease()));
        }
    }
}

package dev.duetime.engine;

import dev.duetime.Clock;
import java.time.Instant;
import java.util.Set;

/**
 * Stops what runs on a node whose leases are about to end. Never asks the store: the loop that renews the leases may be
 * waiting for it. Run by one thread.
 */
final class LeaseWatch implements Clock.Pass {
    private final ShardOwner owner;
    private final Clock clock;
    private final Set<String> queues;
    private final ShardOwner.Takeover loops;

    LeaseWatch(ShardOwner owner, Clock clock, Set<String> queues, ShardOwner.Takeover loops) {
        this.owner = owner;
        this.clock = clock;
        this.queues = Set.copyOf(queues);
        this.loops = loops;
    }

    /** Runs until the leases are renewed, once they have lapsed. */
    @Override
    public Instant run() {
        long left = owner.validUntilNanos() - clock.nanoTime();
        if (left > 0) {
            return clock.now().plusNanos(left);
        }
        queues.forEach(queue -> loops.ownsOnly(queue, Set.of()));
        return Instant.MAX;
    }
}

package dev.duetime.engine.shards;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Stops what runs on a node whose leases are about to end. Never asks the store: the loop that renews the leases may be
 * waiting for it. Run by one thread.
 */
public final class LeaseWatch implements Clock.Pass {
    private static final Duration SOON = Duration.ofNanos(1_000);

    private final ShardOwner owner;
    private final Clock clock;
    private final Set<String> queues;
    private final ShardOwner.Takeover loops;

    public LeaseWatch(ShardOwner owner, Clock clock, Set<String> queues, ShardOwner.Takeover loops) {
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

    /** Nothing is to be stopped as long as the leases are renewed, which the owner says for itself. */
    @Override
    public Instant idleUntil() {
        return owner.validUntilNanos() - clock.nanoTime() > 0 ? Instant.MAX : Instant.MIN;
    }

    /** The owner may not have noted yet that its leases were renewed: looks after it has. */
    @Override
    public Instant leftOut() {
        return clock.now().plus(SOON);
    }
}

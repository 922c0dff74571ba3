package dev.duetime.engine.shards;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * A watch over the end of a node's leases: it stops the runs of handlers before. It never asks the store, since the
 * loop that renews the leases may be waiting for the store. Run by one thread.
 */
public final class LeaseWatch implements Clock.Pass {
    private static final Duration SOON = Duration.ofNanos(1_000);

    private final ShardOwner owner;
    private final Clock clock;
    private final Set<String> queues;
    private final Takeover loops;

    public LeaseWatch(ShardOwner owner, Clock clock, Set<String> queues, Takeover loops) {
        this.owner = owner;
        this.clock = clock;
        this.queues = Set.copyOf(queues);
        this.loops = loops;
    }

    /** Stops the runs if the leases have ended. Then the next turn is when they are renewed. */
    @Override
    public Instant run() {
        long left = owner.validUntilNanos() - clock.nanoTime();
        if (left > 0) {
            return clock.now().plusNanos(left);
        }
        queues.forEach(queue -> loops.ownsOnly(queue, Set.of()));
        return Instant.MAX;
    }

    /** There is nothing to stop as long as the leases are renewed. */
    @Override
    public Instant idleUntil() {
        return owner.validUntilNanos() - clock.nanoTime() > 0 ? Instant.MAX : Instant.MIN;
    }

    /** The owner may not have noted yet that its leases were renewed; the next turn is after that. */
    @Override
    public Instant leftOut() {
        return clock.now().plus(SOON);
    }
}

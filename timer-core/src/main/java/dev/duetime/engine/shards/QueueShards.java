package dev.duetime.engine.shards;

import dev.duetime.Clock;
import dev.duetime.listener.NodeListener;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shards of one queue that a node holds. Changed by the thread of the ownership loop; volatile fields are read by
 * any thread.
 */
final class QueueShards {
    private static final long LONGEST_PART_NANOS = Duration.ofMinutes(1).toNanos();

    final String queue;

    /** How many shards the queue has. Their rows may have been deleted. */
    final int shards;

    /** Whether one node must own all shards to read from any. */
    final boolean undivided;

    /** Since when this node has only a part of an undivided queue, though its leases were read; null if it has not. */
    private @Nullable Long partSinceNanos;

    /** Whether this node leaves an undivided queue to nodes that divide it, or hold it in part. */
    private boolean yields;

    /** Shards to read from. */
    volatile OwnedShards kept = OwnedShards.NONE;
    /** Shards that are released once their timers are settled. Nothing more is read from them. */
    volatile OwnedShards leaving = OwnedShards.NONE;
    /** Whether the shards of a former process on this node were taken over. */
    volatile boolean succeeded;

    private long acquisitions;

    long viewAtNanos;
    /** Until when to expect other nodes, though none is alive: they start and restart together. */
    long expectOthersUntilNanos;
    /** Whether other nodes were alive on the queue when its leases were read last. */
    boolean shared;
    /** Whether no other node was alive when the leases were read last, and this node had all shards. */
    boolean isAlone;

    /** Who held the shards when the leases were read last; null if they were not read yet. */
    FairShare.@Nullable Holders holders;

    /** Until when shards may move soon: then other nodes' changes are asked for often. */
    long movingUntilNanos;

    /** Whether the node waits for shards of other nodes, and has sent a hint. */
    boolean hasAsked;

    /** Which nodes held the shards when the leases were read last, as text. */
    String situation = "its leases were not read yet";

    final NoShards noShards;
    final SilentNodes silentNodes = new SilentNodes();
    final AcquireRetry acquireRetry = new AcquireRetry();
    final LoopTrial trial;

    QueueShards(
            String queue, int shards, boolean undivided, long viewAtNanos, long expectOthersUntilNanos, Clock clock) {
        this.queue = queue;
        this.shards = shards;
        this.undivided = undivided;
        trial = new LoopTrial(queue, clock);
        this.viewAtNanos = viewAtNanos;
        this.expectOthersUntilNanos = expectOthersUntilNanos;
        movingUntilNanos = expectOthersUntilNanos;
        noShards = new NoShards(queue);
    }

    /** Returns the shards to read from: none of an undivided queue while any is missing. */
    OwnedShards readable() {
        OwnedShards all = kept;
        return undivided && all.shards().size() < shards ? OwnedShards.NONE : all;
    }

    /**
     * Returns whether this node must leave an undivided queue to others: one of them holds a part, and has not given it
     * up for a minute. Its mode may be another one, and then a part that is not read would wait for ever.
     *
     * @param mine how many shards this node holds
     * @param othersHold whether another node holds any
     */
    boolean yields(int mine, boolean othersHold, long nowNanos) {
        boolean isPart = undivided && othersHold && mine > 0;
        if (!isPart) {
            partSinceNanos = null;
        } else if (partSinceNanos == null) {
            partSinceNanos = nowNanos;
        }
        boolean isLong = partSinceNanos != null && nowNanos - partSinceNanos > LONGEST_PART_NANOS;
        yields = othersHold && (yields || isLong);
        return yields;
    }

    /** Returns the shards that this node has leases of, as far as it knows. */
    Set<Integer> known() {
        return kept.with(leaving).shards();
    }

    /** Adds shards that this node has acquired. */
    void acquired(Set<Integer> got) {
        acquisitions++;
        kept = kept.with(got, acquisitions);
    }

    /** Divides the known shards into those to keep and those to give back, and forgets all others. */
    void divide(Collection<Integer> toKeep, Collection<Integer> givenBack) {
        OwnedShards known = kept.with(leaving);
        leaving = known.in(givenBack);
        kept = known.in(toKeep);
    }

    /**
     * Forgets the shards that are not among the given ones, and notifies listeners. A shard that was leaving was given
     * back, though the reply was lost; the others were taken over.
     *
     * @return whether any was taken over
     */
    boolean forgetLost(Set<Integer> mine, NodeListener listeners) {
        int held = kept.shards().size();
        int heldToLeave = leaving.shards().size();
        kept = kept.in(mine);
        leaving = leaving.in(mine);
        int lost = held - kept.shards().size();
        int released = heldToLeave - leaving.shards().size();
        if (released > 0) {
            listeners.shardsReleased(queue, released, known().size());
        }
        if (lost > 0) {
            listeners.shardsLost(queue, lost, known().size());
        }
        return lost > 0;
    }
}

package dev.duetime.engine.shards;

import dev.duetime.engine.settle.InFlight;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The claims of a queue's loop on the shards of its node, one at a time. Used by the loop's thread, except {@link
 * #inDelivery}, which is thread-safe.
 */
public final class ShardClaims {
    private final String queue;
    private final ShardOwner owner;
    private final InFlight inFlight;
    private final Supplier<Set<Integer>> unsettled;

    /** The shards of the open claim; written by the loop's thread. */
    private volatile Set<Integer> claimed = Set.of();

    /**
     * Creates the claims of a loop.
     *
     * @param unsettled returns the shards of timers that were read and are not settled; called by any thread
     */
    public ShardClaims(String queue, ShardOwner owner, InFlight inFlight, Supplier<Set<Integer>> unsettled) {
        this.queue = queue;
        this.owner = owner;
        this.inFlight = inFlight;
        this.unsettled = unsettled;
    }

    /**
     * Claims the shards that this node owns, until the claim is closed. A node that gives a shard back first stops
     * owning it and then asks {@link #inDelivery}. So a claim first names its shards and then asks again whether they
     * are owned.
     */
    public Claim claim() {
        OwnedShards wanted = owned();
        claimed = wanted.shards();
        inFlight.beginRead();
        return new Claim(this, wanted.stillIn(owned()));
    }

    OwnedShards owned() {
        return owner.holding(queue);
    }

    /** Lets the claimed shards be given back. */
    void release() {
        claimed = Set.of();
    }

    void close() {
        inFlight.endRead();
        release();
    }

    /**
     * Returns the shards from which timers may be in delivery: those that are claimed, and those of unsettled timers.
     */
    public Set<Integer> inDelivery() {
        // In this order: a claim is released only after its timers are counted as unsettled.
        Set<Integer> shards = new HashSet<>(claimed);
        shards.addAll(unsettled.get());
        return shards;
    }

    /** Returns whether timers that were read are not settled. */
    public boolean hasUnsettled() {
        return !unsettled.get().isEmpty();
    }
}

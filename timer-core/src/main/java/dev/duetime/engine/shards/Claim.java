package dev.duetime.engine.shards;

import java.util.Set;

/**
 * A claim of a queue's loop on shards of its node, for one turn. While it is open, no claimed shard is given back to
 * other nodes, and keys that are cancelled are noted. Used by the loop's thread.
 */
public final class Claim implements AutoCloseable {
    private final ShardClaims claims;
    private final OwnedShards claimed;

    Claim(ShardClaims claims, OwnedShards claimed) {
        this.claims = claims;
        this.claimed = claimed;
    }

    /** Returns the claimed shards. */
    public Set<Integer> shards() {
        return claimed.shards();
    }

    /** Returns whether the node owned no shard of the queue. */
    public boolean isEmpty() {
        return shards().isEmpty();
    }

    /**
     * Returns the claimed shards that the node still owns. A shard that it lost and acquired again is not among them:
     * another node may have delivered what was read before.
     */
    public Set<Integer> stillOwned() {
        return claimed.stillIn(claims.owned()).shards();
    }

    /** Returns whether the node still owns all shards that it claimed, without a break. */
    public boolean isStillOurs() {
        return stillOwned().equals(shards());
    }

    /**
     * Lets the shards be given back as soon as the timers that were read are settled. Nothing more is read from them
     * for delivery. The loop may still ask whether other timers are due there.
     */
    public void release() {
        claims.release();
    }

    /** Ends the claim. */
    @Override
    public void close() {
        claims.close();
    }
}

package dev.duetime.engine.shards;

import java.util.Set;

/**
 * A claim of a queue's loop on shards of its node, for one turn. While it is open, no claimed shard is given back to
 * other nodes, and keys that are cancelled are noted. Used by the loop's thread.
 */
public final class Claim implements AutoCloseable {
    private final ShardClaims claims;
    private final Set<Integer> shards;

    Claim(ShardClaims claims, Set<Integer> shards) {
        this.claims = claims;
        this.shards = shards;
    }

    /** Returns the claimed shards. */
    public Set<Integer> shards() {
        return shards;
    }

    /** Returns whether the node owned no shard of the queue. */
    public boolean isEmpty() {
        return shards.isEmpty();
    }

    /** Returns the shards of the queue that the node owns now: fewer than it claimed if its leases have ended. */
    public Set<Integer> owned() {
        return claims.owned();
    }

    /** Returns whether the node still owns all shards that it claimed. */
    public boolean isStillOurs() {
        return owned().containsAll(shards);
    }

    /**
     * Lets the shards be given back as soon as the timers that were read are settled; nothing more is read from them.
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

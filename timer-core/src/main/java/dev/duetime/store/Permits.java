package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shares of nodes in limits that hold for the whole cluster. The store keeps a ledger for each limit; the engine
 * decides what is written to it. Thread-safe. Every method runs in transactions of its own and throws {@link
 * StoreException} if the store failed.
 */
@Beta
public interface Permits {
    /** What a store has that keeps no limits. Queues with limits are refused on it. */
    Permits NONE = new Permits() {
        @Override
        public List<Ledger> ledgers() {
            return List.of();
        }

        @Override
        public Set<Limit> change(Collection<Change> changes) {
            return Set.of();
        }
    };

    /** The version of a ledger that was never written. */
    long UNWRITTEN = 0;

    /**
     * A limit.
     *
     * @param queue the queue
     * @param name what is limited on it, up to 300 characters
     */
    record Limit(String queue, String name) {}

    /**
     * The share of a node in a limit.
     *
     * @param node the node, not empty
     * @param units how many units of the limit it holds
     * @param demand how many it could use
     * @param total how many units the limit has in all, as this node is configured
     * @param spacing the nanoseconds between two permits of a rate, as this node is configured; 0 if it is no rate
     * @param since since when it has held units, or waited for some
     * @param until when the share ends unless the node renews it
     */
    record Share(String node, int units, int demand, int total, long spacing, Instant since, Instant until) {}

    /**
     * The state of a limit.
     *
     * @param limit the limit
     * @param version grows by one with each change
     * @param freeSince since when the units that nobody holds have been free, as the engine wrote it
     * @param shares the shares of all nodes, also those that have ended
     * @param levels how full these units are for single tenants, as the engine wrote it; null if the last change had
     *     none
     */
    record Ledger(
            Limit limit,
            long version,
            Instant freeSince,
            List<Share> shares,
            @Nullable String levels) {
        /** Copies the shares. */
        public Ledger {
            shares = List.copyOf(shares);
        }

        /** Creates a ledger without levels of tenants. */
        public Ledger(Limit limit, long version, Instant freeSince, List<Share> shares) {
            this(limit, version, freeSince, shares, null);
        }
    }

    /**
     * A change of a ledger.
     *
     * @param limit the limit
     * @param version the version that was read; {@link #UNWRITTEN} for a new ledger
     * @param freeSince replaces that of the ledger
     * @param share replaces the share of its node; null if no share is written
     * @param removed the nodes whose shares are removed
     * @param levels replaces that of the ledger: up to 60,000 ASCII characters, or null. If a store does not keep it,
     *     tenants lose permits when units move between nodes
     */
    record Change(
            Limit limit,
            long version,
            Instant freeSince,
            @Nullable Share share,
            Set<String> removed,
            @Nullable String levels) {
        /** Copies the nodes. */
        public Change {
            removed = Set.copyOf(removed);
        }

        /** Creates a change without levels of tenants. */
        public Change(Limit limit, long version, Instant freeSince, @Nullable Share share, Set<String> removed) {
            this(limit, version, freeSince, share, removed, null);
        }
    }

    /** Returns all ledgers, by one short read that waits for no lock. */
    List<Ledger> ledgers();

    /**
     * Writes each change whose ledger still has the version that it names; the others are left out. Does not wait for
     * long if another transaction holds a ledger.
     *
     * @return the limits whose change was written
     * @throws CollisionException if another transaction holds a ledger; then nothing was written
     */
    Set<Limit> change(Collection<Change> changes);
}

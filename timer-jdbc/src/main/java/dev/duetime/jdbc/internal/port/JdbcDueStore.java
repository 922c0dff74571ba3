package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.Exclusions;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueStore;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import dev.duetime.store.QueueSnapshot;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The part of the store for the engine's loops: it reads due timers, counts, and deletes ended timers. Thread-safe. */
public final class JdbcDueStore implements DueStore {
    private final Transactions transactions;
    private final Dialect dialect;
    private final TimerReads reads;
    private final SnapshotReads snapshots;
    private final Deletion deletion;
    private final Expiry expiry;
    private final StartNote startNote;

    /**
     * Creates the part of a store for loops.
     *
     * @param brief transactions that give up soon on rows that another transaction holds
     */
    public JdbcDueStore(Transactions transactions, Transactions brief, Dialect dialect, TimerReads reads) {
        this.transactions = transactions;
        this.dialect = dialect;
        this.reads = reads;
        snapshots = new SnapshotReads(dialect.sql());
        deletion = new Deletion(transactions, dialect);
        expiry = new Expiry(brief, dialect);
        startNote = new StartNote(transactions, dialect);
    }

    @Override
    public DueTimers due(DueQuery query) {
        return query.shards().isEmpty() || Exclusions.leavesOutAll(query.but())
                ? new DueTimers(List.of(), false)
                : transactions.single("read due timers of", query.queue(), handle -> reads.due(handle, query));
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return transactions.single(
                "read next due time of", queue, handle -> reads.nextDue(handle, queue, List.copyOf(shards), after));
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return pending(List.of(new PendingCount(queue, shards, atMost))).getOrDefault(queue, Map.of());
    }

    @Override
    public Map<String, Map<Integer, Integer>> pending(Collection<PendingCount> counts) {
        return transactions.single("count", "timers", handle -> reads.pending(handle, counts));
    }

    /** Returns the leases, the next due time and the pause of each queue, by one statement. */
    public Map<String, QueueSnapshot> snapshot(Collection<String> queues, String node) {
        return transactions.single("read", "idle queues", handle -> snapshots.read(handle, queues, node));
    }

    @Override
    public boolean readsBesideWrites() {
        return dialect.readsBesideWrites();
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return startNote.write(key, generation, now);
    }

    @Override
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return expiry.expire(queue, shard, now, keep, limit);
    }

    @Override
    public Set<String> purgeable(Map<String, Instant> before) {
        return before.isEmpty() || dialect.isDistributed()
                ? DueStore.super.purgeable(before)
                : deletion.purgeable(before);
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return deletion.purge(queue, before, limit);
    }
}

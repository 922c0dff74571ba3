package dev.duetime.jdbc.internal.nodes;

import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.HeldRows;
import dev.duetime.jdbc.internal.connection.ReservedConnection;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.port.SnapshotReads;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The leases in {@code timer_shards} and the announcements in {@code timer_nodes}. A node acquires and renews leases on
 * a reserved connection if there is one, so it never waits behind users' work. Thread-safe.
 */
public final class JdbcShardLeases implements ShardLeases {
    /** How long the announcement of a vanished node is kept: far longer than any lease. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    /** The result of an announcement whose row another transaction holds: the node announces itself the next time. */
    private static final boolean NOT_ANNOUNCED = false;

    private final Transactions transactions;
    private final @Nullable ReservedConnection reserved;
    private final ShardRows rows;
    private final LeaseRenewal renewal;
    private final Dialect dialect;
    private final SqlFiles sql;

    /**
     * Creates the leases of a database.
     *
     * @param opening runs the opening of queues, for which callers wait
     * @param reserved the connection for acquiring and renewing leases; null for the pool, which serves all other calls
     */
    public JdbcShardLeases(
            Transactions transactions, Transactions opening, @Nullable ReservedConnection reserved, Dialect dialect) {
        this.transactions = transactions;
        this.rows = new ShardRows(transactions, opening, dialect);
        this.reserved = reserved;
        this.dialect = dialect;
        this.sql = dialect.sql();
        renewal = new LeaseRenewal(ofOwner(), reserved, rows, dialect);
    }

    /** The transactions of a node that holds leases, or is about to acquire some. */
    private Transactions ofOwner() {
        return reserved == null ? transactions : reserved;
    }

    /** The transactions of any node: a node without leases keeps no connection. */
    private Transactions ofAny() {
        return reserved != null && reserved.isKept() ? reserved : transactions;
    }

    @Override
    public void letGo() {
        if (reserved != null) {
            reserved.letGo();
        }
    }

    @Override
    public Instant now() {
        return ofAny().single(
                        "read",
                        "clock",
                        handle -> handle.createQuery(sql.text("now"))
                                .map((row, context) -> Micros.ofLong(row.getLong(1)))
                                .one());
    }

    @Override
    public int open(String queue, OptionalInt shards) {
        return rows.open(queue, shards);
    }

    @Override
    public void restore(String queue, int shards) {
        rows.restore(queue, shards);
    }

    @Override
    public ShardMap view(String queue) {
        return ofAny().single("view", queue, handle -> {
            List<Lease> leases = new ArrayList<>();
            Map<String, Instant> announced = new HashMap<>();
            handle.createQuery(sql.text("view_shards"))
                    .bind("queue", queue)
                    .map((row, context) -> row.getString("node") == null
                            ? leases.add(lease(row))
                            : announced.put(row.getString("node"), TimerRows.instant(row, "lease_until")))
                    .list();
            return new ShardMap(leases, announced);
        });
    }

    private static Lease lease(ResultSet row) throws SQLException {
        @Nullable String owner = row.getString("owner");
        return new Lease(row.getInt("shard"), owner, row.getLong("epoch"), TimerRows.instantOrNull(row, "lease_until"));
    }

    /** {@inheritDoc} By one statement, except on a distributed database. */
    @Override
    public Map<String, ShardMap> views(Collection<String> queues) {
        return queues.isEmpty() || dialect.isDistributed()
                ? ShardLeases.super.views(queues)
                : ofAny().single("view", "queues", handle -> SnapshotReads.views(handle, sql, queues));
    }

    @Override
    public Set<String> free() {
        return ofAny().single(
                        "view",
                        "free shards",
                        handle -> handle.createQuery(sql.text("free_queues"))
                                .mapTo(String.class)
                                .set());
    }

    @Override
    public Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
        List<Integer> sorted = shards.stream().distinct().sorted().toList();
        return ofOwner().run("acquire shards of", queue, handle -> {
            HeldRows.skip(dialect, handle, same -> announce(same, queue, node, now, until), same -> NOT_ANNOUNCED);
            return sorted.isEmpty()
                    ? Set.of()
                    : HeldRows.skipEach(
                            dialect,
                            handle,
                            same -> acquire(same, queue, sorted, node, now, until),
                            same -> acquire(same, queue, rows.lockFree(same, queue, sorted), node, now, until));
        });
    }

    private Set<Integer> acquire(
            Handle handle, String queue, List<Integer> shards, String node, Instant now, Instant until) {
        int[] matched = Batches.count(
                handle,
                sql.text("acquire_shard"),
                shards,
                shard -> Map.of(
                        "queue",
                        queue,
                        "shard",
                        shard,
                        "node",
                        node,
                        "now",
                        Micros.toLong(now),
                        "until",
                        Micros.toLong(until),
                        "furthest",
                        Micros.toLong(now.plus(FURTHEST))));
        return IntStream.range(0, matched.length)
                .filter(i -> matched[i] > 0)
                .mapToObj(shards::get)
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean announce(Handle handle, String queue, String node, Instant now, Instant until) {
        Map<String, Object> announcement = Map.of("queue", queue, "node", node, "until", Micros.toLong(until));
        if (update(handle, "extend_announcement", announcement) == 0) {
            update(handle, "insert_announcement", announcement);
            update(
                    handle,
                    "delete_old_announcements",
                    Map.of(
                            "queue", queue,
                            "until", Micros.toLong(until.minus(REMEMBERED)),
                            "furthest", Micros.toLong(now.plus(FURTHEST))));
        }
        return true;
    }

    /** {@inheritDoc} By one statement where the database allows it, so that an idle node makes few. */
    @Override
    public int renew(String node, Instant until) {
        return renewal.renew(node, until);
    }

    @Override
    public void release(String queue, Collection<Integer> shards, String node) {
        List<Integer> sorted = shards.stream().distinct().sorted().toList();
        ofAny().run("release shards of", queue, handle -> {
            HeldRows.skipEach(
                    dialect,
                    handle,
                    same -> release(same, queue, sorted, node),
                    same -> release(same, queue, rows.lockFree(same, queue, sorted), node));
            return HeldRows.skip(
                    dialect,
                    handle,
                    same -> update(same, "delete_announcement", Map.of("queue", queue, "node", node)),
                    same -> 0);
        });
    }

    private int release(Handle handle, String queue, List<Integer> shards, String node) {
        Batches.execute(
                handle,
                sql.text("release_shard"),
                shards,
                shard -> Map.of("queue", queue, "shard", shard, "node", node));
        return shards.size();
    }

    private int update(Handle handle, String statement, Map<String, Object> parameters) {
        return handle.createUpdate(sql.text(statement)).bindMap(parameters).execute();
    }
}

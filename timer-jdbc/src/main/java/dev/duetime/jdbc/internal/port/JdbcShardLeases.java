package dev.duetime.jdbc.internal.port;

import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.ReservedConnection;
import dev.duetime.jdbc.internal.dialect.Dialect;
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
    /** How long a node that left without a word is remembered: far longer than any lease. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private final Transactions transactions;
    private final @Nullable ReservedConnection reserved;
    private final Transactions opening;
    private final SqlFiles sql;
    private final int defaultShards;

    /**
     * Creates the leases of a database.
     *
     * @param opening runs the opening of queues, for which callers wait
     * @param reserved the connection for acquiring and renewing leases; null for the pool, which serves all other calls
     */
    public JdbcShardLeases(
            Transactions transactions, Transactions opening, @Nullable ReservedConnection reserved, Dialect dialect) {
        this.transactions = transactions;
        this.opening = opening;
        this.reserved = reserved;
        this.sql = dialect.sql();
        this.defaultShards = dialect.traits().defaultShards();
    }

    /** Of a node that holds leases, or is about to. */
    private Transactions ofOwner() {
        return reserved == null ? transactions : reserved;
    }

    /** Of any node: one that holds no leases keeps no connection. */
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
        int opened = transactions.single("open", queue, handle -> count(handle, queue));
        return opened > 0
                ? opened
                : opening.run("open", queue, handle -> openNew(handle, queue, shards.orElse(defaultShards)));
    }

    private int openNew(Handle handle, String queue, int shards) {
        int opened = count(handle, queue);
        if (opened > 0) {
            return opened;
        }
        List<Integer> all = IntStream.range(0, shards).boxed().toList();
        Batches.execute(handle, sql.text("insert_shard"), all, shard -> Map.of("queue", queue, "shard", shard));
        return shards;
    }

    private int count(Handle handle, String queue) {
        return handle.createQuery(sql.text("count_shards"))
                .bind("queue", queue)
                .mapTo(Integer.class)
                .one();
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
            announce(handle, queue, node, now, until);
            int[] matched = Batches.count(
                    handle,
                    sql.text("acquire_shard"),
                    sorted,
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
                    .mapToObj(sorted::get)
                    .collect(Collectors.toUnmodifiableSet());
        });
    }

    private void announce(Handle handle, String queue, String node, Instant now, Instant until) {
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
    }

    @Override
    public int renew(String node, Instant until) {
        return ofOwner()
                .run(
                        "renew leases of",
                        node,
                        handle -> update(handle, "renew_leases", Map.of("node", node, "until", Micros.toLong(until))));
    }

    @Override
    public void release(String queue, Collection<Integer> shards, String node) {
        List<Integer> sorted = shards.stream().distinct().sorted().toList();
        ofAny().run("release shards of", queue, handle -> {
            Batches.execute(
                    handle,
                    sql.text("release_shard"),
                    sorted,
                    shard -> Map.of("queue", queue, "shard", shard, "node", node));
            return update(handle, "delete_announcement", Map.of("queue", queue, "node", node));
        });
    }

    private int update(Handle handle, String statement, Map<String, Object> parameters) {
        return handle.createUpdate(sql.text(statement)).bindMap(parameters).execute();
    }
}

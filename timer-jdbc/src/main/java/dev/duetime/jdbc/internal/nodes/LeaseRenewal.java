package dev.duetime.jdbc.internal.nodes;

import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.connection.HeldRows;
import dev.duetime.jdbc.internal.connection.ReservedConnection;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * The renewal of a node's leases. It tries one statement for all of them. If other transactions hold some of the rows
 * for long, it renews the other leases, because a user's transaction must not cost the node its shards. Thread-safe.
 */
final class LeaseRenewal {
    private final Transactions transactions;
    private final @Nullable ReservedConnection reserved;
    private final ShardRows rows;
    private final Dialect dialect;
    private final SqlFiles sql;

    /**
     * Creates the renewal.
     *
     * @param transactions those of a node that holds leases
     * @param reserved the connection of these transactions; null if they use the pool
     */
    LeaseRenewal(Transactions transactions, @Nullable ReservedConnection reserved, ShardRows rows, Dialect dialect) {
        this.transactions = transactions;
        this.reserved = reserved;
        this.rows = rows;
        this.dialect = dialect;
        this.sql = dialect.sql();
    }

    /** Extends all leases of a node. Returns how many it holds. */
    int renew(String node, Instant until) {
        Map<String, Object> lease = Map.of("node", node, "until", Micros.toLong(until));
        if (dialect.renewsUnheld() || !dialect.locksRows()) {
            String statement = dialect.renewsUnheld() ? "renew_unheld" : "renew_leases";
            return transactions.single("renew leases of", node, handle -> update(handle, statement, lease));
        }
        OptionalInt renewed = reserved == null ? OptionalInt.empty() : renewAtOnce(reserved, node, lease);
        return renewed.isPresent() ? renewed.getAsInt() : renewFree(node, lease);
    }

    /** The connection waits a short time for rows. Returns nothing if that was too short, or may be too long. */
    private OptionalInt renewAtOnce(ReservedConnection connection, String node, Map<String, Object> lease) {
        return connection.single("renew leases of", node, handle -> {
            if (!connection.isSetUp()) {
                return OptionalInt.empty();
            }
            try {
                return OptionalInt.of(update(handle, "renew_leases", lease));
            } catch (JdbiException e) {
                if (!Failures.any(e, dialect::isLockTimeout)) {
                    throw e;
                }
                return OptionalInt.empty();
            }
        });
    }

    private int renewFree(String node, Map<String, Object> lease) {
        return transactions.run(
                "renew leases of",
                node,
                handle -> HeldRows.skip(
                        dialect, handle, same -> update(same, "renew_leases", lease), same -> renewFree(same, lease)));
    }

    /** A lease whose row another transaction holds is renewed later. No other node can take it in the meantime. */
    private int renewFree(Handle handle, Map<String, Object> lease) {
        Map<String, List<Integer>> owned = new TreeMap<>();
        handle.createQuery(sql.text("owned_shards"))
                .bind("node", lease.get("node"))
                .map((row, context) -> owned.computeIfAbsent(row.getString("queue"), queue -> new ArrayList<>())
                        .add(row.getInt("shard")))
                .list();
        int renewed = 0;
        for (Map.Entry<String, List<Integer>> each : owned.entrySet()) {
            List<Integer> free = rows.lockFree(handle, each.getKey(), each.getValue());
            renewed += IntStream.of(Batches.count(handle, sql.text("renew_lease"), free, shard -> {
                        Map<String, @Nullable Object> parameters = new HashMap<>(lease);
                        parameters.put("queue", each.getKey());
                        parameters.put("shard", shard);
                        return parameters;
                    }))
                    .sum();
        }
        return renewed;
    }

    private int update(Handle handle, String statement, Map<String, Object> parameters) {
        return handle.createUpdate(sql.text(statement)).bindMap(parameters).execute();
    }
}

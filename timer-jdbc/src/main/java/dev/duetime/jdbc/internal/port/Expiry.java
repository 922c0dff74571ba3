package dev.duetime.jdbc.internal.port;

import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.CollisionException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A statement that ends expired timers without reading them, on databases that support it. It skips rows that another
 * transaction holds. The poll loop reads these rows later. Thread-safe.
 */
public final class Expiry {
    private static final Set<String> ALL = Set.of();
    private static final Set<String> FREE = Set.of("skipsHeld");

    private final Transactions brief;
    private final Dialect dialect;

    /**
     * Creates the statement.
     *
     * @param brief transactions that wait only briefly for a lock
     */
    public Expiry(Transactions brief, Dialect dialect) {
        this.brief = brief;
        this.dialect = dialect;
    }

    /** Ends expired timers of a shard. Returns how many timers of each type it ended. */
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        String waitBriefly = dialect.waitBriefly();
        if (!dialect.expiresUnread() || waitBriefly == null) {
            return Map.of();
        }
        String statement = keep ? "expire_kept" : "expire_deleted";
        DriverStatement.Binder binder = (prepared, position, parameter) -> {
            switch (parameter.name()) {
                case "queue" -> prepared.setString(position, queue);
                case "shard" -> prepared.setInt(position, shard);
                case "now" -> prepared.setLong(position, Micros.toLong(now));
                default -> prepared.setLong(position, limit);
            }
        };
        try {
            return ended(queue, dialect.sql().driverAfter(waitBriefly, statement, ALL), binder);
        } catch (CollisionException e) {
            return ended(queue, dialect.sql().driverAfter(waitBriefly, statement, FREE), binder);
        }
    }

    private Map<String, Integer> ended(String queue, DriverStatement statement, DriverStatement.Binder binder) {
        Map<String, Integer> ended = new HashMap<>();
        brief.single(
                        "expire timers of",
                        queue,
                        handle -> statement.query(
                                handle, binder, row -> Map.entry(row.getString("type"), row.getInt("timers"))))
                .forEach(each -> ended.put(each.getKey(), each.getValue()));
        return ended;
    }
}

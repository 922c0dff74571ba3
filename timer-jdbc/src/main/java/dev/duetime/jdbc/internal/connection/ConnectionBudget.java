package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.dialect.Dialect;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shares of a pool: one connection for leases, one for hints, some for handlers, the others for loops and callers.
 *
 * @param keepsOneForLeases whether a connection is kept for leases
 * @param keepsOneForHints whether a connection may be kept to be notified of hints
 * @param mostTransactions how many transactions the handlers of a node may hold at the same time
 * @param mostRetries how many calls that met a lock may retry at the same time
 */
public record ConnectionBudget(
        boolean keepsOneForLeases, boolean keepsOneForHints, int mostTransactions, int mostRetries) {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionBudget.class);

    /**
     * The smallest pool that keeps one connection for leases: one more for the loops, and one for the transaction of a
     * handler.
     */
    private static final int LEAST_CONNECTIONS = 3;

    /** The smallest pool that keeps one connection to be notified of hints. */
    private static final int LEAST_FOR_HINTS = 5;

    /** More connections gain little: most retries meet the same lock again. */
    private static final int MOST_RETRIES = 3;

    /** The assumed size of an unknown pool: the smallest default of the known pools. */
    private static final int LIKELY_CONNECTIONS = 8;

    /**
     * Returns the shares of a pool. On a database with one writer no connection is kept for leases, because they wait
     * for the writer anyway.
     */
    public static ConnectionBudget of(DataSource pool, Dialect dialect) {
        if (!dialect.locksRows()) {
            return new ConnectionBudget(false, false, 1, 1);
        }
        boolean keepsOne = keepsOne(KnownPools.size(pool).orElse(LEAST_CONNECTIONS));
        boolean hints = dialect.notifies() && KnownPools.size(pool).orElse(LIKELY_CONNECTIONS) >= LEAST_FOR_HINTS;
        int left = KnownPools.size(pool).orElse(LIKELY_CONNECTIONS) - (keepsOne ? 1 : 0) - (hints ? 1 : 0);
        // A quarter is left to the loops, and at least one connection. Retries take no more than that.
        int quarter = Math.max(1, left / 4);
        return new ConnectionBudget(keepsOne, hints, Math.max(1, left - quarter), Math.min(quarter, MOST_RETRIES));
    }

    private static boolean keepsOne(int connections) {
        if (connections < LEAST_CONNECTIONS) {
            LOG.warn(
                    "the pool must have at least {} connections to keep one for leases but has {}; while handlers hold"
                            + " all of them, other nodes take this node's shards",
                    LEAST_CONNECTIONS,
                    connections);
        }
        return connections >= LEAST_CONNECTIONS;
    }
}

package dev.duetime.engine.shards;

import dev.duetime.internal.Printable;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The warnings about void leases, which end later than any can: one for each owner and queue. Used by one thread. */
final class VoidLeases {
    private static final Logger LOG = LoggerFactory.getLogger(VoidLeases.class);
    /** At most so many owners are named in the log. */
    private static final int MOST = 100;

    private final Set<String> warned = new HashSet<>();

    /** Returns whether the lease ends later than any lease can: see {@link ShardLeases#FURTHEST}. */
    static boolean isVoid(Lease lease, Instant now) {
        Instant until = lease.until();
        return until != null && until.isAfter(now.plus(ShardLeases.FURTHEST));
    }

    /** Logs a warning for each owner of a void lease that has not been named yet. */
    void warn(String queue, ShardMap map, Instant now) {
        for (Lease lease : map.leases()) {
            if (isVoid(lease, now) && warned.size() < MOST && warned.add(queue + ' ' + lease.owner())) {
                LOG.warn(
                        "leases of node {} on queue {} last until {}, longer than any can; they are void. A clock was"
                                + " wrong, or a test with a clock of its own runs on this database",
                        Printable.line(lease.owner()),
                        queue,
                        lease.until());
            }
        }
    }
}

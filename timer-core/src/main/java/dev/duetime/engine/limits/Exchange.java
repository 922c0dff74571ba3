package dev.duetime.engine.limits;

import dev.duetime.store.Permits;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Limit;
import dev.duetime.store.Permits.Share;
import dev.duetime.store.ShardLeases;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The ledgers of all limits as a node has read them, and the time of its turn. Used by one thread. */
final class Exchange {
    /** The time of the turn, and when shares end that are written in it. */
    final Instant now;

    final Instant until;

    /** The nanoseconds of the clock at that time. */
    private final long nanos;

    /** Whether the node gives everything back. */
    final boolean closing;

    private final Map<Limit, Ledger> ledgers = new HashMap<>();

    /** The nodes that have a share in any limit of a queue, in order, by queue. */
    private final Map<String, TreeSet<String>> nodes = new HashMap<>();

    Exchange(Collection<Ledger> read, Instant now, long nanos, Instant until, boolean closing) {
        this.now = now;
        this.nanos = nanos;
        this.until = until;
        this.closing = closing;
        for (Ledger ledger : read) {
            ledgers.put(ledger.limit(), ledger);
            TreeSet<String> known = nodes.computeIfAbsent(ledger.limit().queue(), queue -> new TreeSet<>());
            for (Share share : ledger.shares()) {
                if (isLive(share)) {
                    known.add(share.node());
                }
            }
        }
    }

    /** Returns the time when the clock has these nanoseconds: the turn takes a while. */
    Instant at(long nowNanos) {
        return now.plusNanos(nowNanos - nanos);
    }

    /** Returns the ledger of a limit, also if it was never written. */
    Ledger of(Limit limit) {
        Ledger known = ledgers.get(limit);
        return known != null ? known : new Ledger(limit, Permits.UNWRITTEN, Instant.EPOCH, List.of());
    }

    /** Returns whether the ledger of a limit was ever written. */
    boolean isWritten(Limit limit) {
        return ledgers.containsKey(limit);
    }

    /** Returns the nodes that have a share in any limit of a queue, in order. */
    List<String> nodes(String queue) {
        return List.copyOf(nodes.getOrDefault(queue, new TreeSet<>()));
    }

    /** Returns whether a share can be computed with. Another one was written by hand, and counts as ended. */
    static boolean isSound(Share share) {
        return share.units() >= 0 && share.demand() >= 0 && share.total() > 0 && share.spacing() >= 0;
    }

    /** Returns whether a share has not ended. */
    boolean isLive(Share share) {
        return isSound(share) && share.until().isAfter(now) && !share.until().isAfter(now.plus(ShardLeases.FURTHEST));
    }
}

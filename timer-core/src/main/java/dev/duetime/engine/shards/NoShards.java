package dev.duetime.engine.shards;

import dev.duetime.internal.Printable;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time for which a node has owned no shard of a queue that it serves, and after a minute the reason. The reason
 * goes to the log, unless the store fails: that is logged once for all queues. Changed by the thread of the ownership
 * loop; {@link #reason} is read by any.
 */
final class NoShards {
    private static final Logger LOG = LoggerFactory.getLogger(NoShards.class);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final String queue;

    // Mutable state of the loop's thread, except the volatile fields.
    /** Whether the times below are set: the first turn sets them, which may be long after the node was built. */
    private boolean isCounting;

    private long sinceNanos;
    /** Since when the reason is not a failure of the store. */
    private long unexplainedNanos;

    private boolean isLogged;
    private volatile @Nullable String reason;

    NoShards(String queue) {
        this.queue = queue;
    }

    /**
     * Notes whether the node owns a shard now.
     *
     * @param why returns why not
     */
    void note(boolean owns, long nowNanos, Supplier<String> why) {
        startCounting(nowNanos);
        if (owns) {
            if (isLogged) {
                LOG.info("queue {} is delivered from this node again", queue);
            }
            sinceNanos = nowNanos;
            unexplainedNanos = nowNanos;
            isLogged = false;
            reason = null;
        } else if (isLong(sinceNanos, nowNanos)) {
            reason = Printable.line(why.get());
            if (!isLogged && isLong(unexplainedNanos, nowNanos)) {
                isLogged = true;
                LOG.warn("this node has owned no shard of queue {} for {}: {}", queue, LONG, reason);
            }
        }
    }

    /** Notes that the store fails, so that the node may own nothing; the failure itself is logged elsewhere. */
    void noteFailure(boolean owns, long nowNanos, Supplier<String> why) {
        startCounting(nowNanos);
        unexplainedNanos = nowNanos;
        note(owns, nowNanos, why);
    }

    private void startCounting(long nowNanos) {
        if (!isCounting) {
            isCounting = true;
            sinceNanos = nowNanos;
            unexplainedNanos = nowNanos;
        }
    }

    private static boolean isLong(long sinceNanos, long nowNanos) {
        return nowNanos - sinceNanos >= LONG.toNanos();
    }

    /** Returns why the node has owned nothing for a minute; null if it owns a shard, or did lately. */
    @Nullable
    String reason() {
        return reason;
    }
}

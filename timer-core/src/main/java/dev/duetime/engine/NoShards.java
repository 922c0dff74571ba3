package dev.duetime.engine;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows for how long a node that serves a queue has owned none of its shards, and says why once that was a minute. Changed by
 * the thread of the ownership loop; {@link #reason} is read by any.
 */
final class NoShards {
    private static final Logger LOG = LoggerFactory.getLogger(NoShards.class);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final String queue;

    // Mutable state of the loop's thread, but for what is volatile.
    private long sinceNanos;
    private volatile @Nullable String reason;

    NoShards(String queue, long nowNanos) {
        this.queue = queue;
        sinceNanos = nowNanos;
    }

    /**
     * Notes whether the node owns a shard now.
     *
     * @param why says why not
     */
    void note(boolean owns, long nowNanos, Supplier<String> why) {
        if (owns) {
            if (reason != null) {
                LOG.info("queue {} is delivered from this node again", queue);
            }
            sinceNanos = nowNanos;
            reason = null;
        } else if (nowNanos - sinceNanos >= LONG.toNanos()) {
            boolean first = reason == null;
            reason = why.get();
            if (first) {
                LOG.warn("this node has owned no shard of queue {} for {}: {}", queue, LONG, reason);
            }
        }
    }

    /** Returns why the node has owned nothing for a minute; null if it owns a shard, or did lately. */
    @Nullable
    String reason() {
        return reason;
    }
}

package dev.duetime.engine.shards;

import dev.duetime.Clock;
import dev.duetime.store.ShardMap;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The news of leases that other loops of this node have: what they have read, and hints that shards have moved. They
 * wake the ownership loop. Leases that this node has written since, or that took long to read, are dropped.
 * Thread-safe.
 */
public final class LeaseNews {
    /** What a longer read returns is outdated. */
    private static final Duration LONG = Duration.ofSeconds(1);

    /** Queues that are polled more often than this do not make the ownership loop work more often. */
    private static final Duration BETWEEN = Duration.ofSeconds(1);

    private final Clock clock;
    private final LongSupplier writes;
    private final AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
    private final AtomicBoolean hint = new AtomicBoolean();
    private volatile @Nullable Long lastNanos;
    private volatile Runnable wake = () -> {};

    private record Seen(Sight sight, Map<String, ShardMap> maps) {}

    /**
     * The beginning of a read of the leases beside the ownership loop.
     *
     * @param writes how often this node had written leases
     * @param beganNanos when it began, by the monotonic clock
     */
    public record Sight(long writes, long beganNanos) {}

    /**
     * Creates a place without news.
     *
     * @param writes returns how often this node has begun or ended a write of leases
     */
    LeaseNews(Clock clock, LongSupplier writes) {
        this.clock = clock;
        this.writes = writes;
    }

    /** Sets the action that wakes the ownership loop. Must be called before its first turn. */
    public void onNews(Runnable action) {
        wake = action;
    }

    /** Notes that a read of the leases begins. */
    public Sight begin() {
        return new Sight(writes.getAsLong(), clock.nanoTime());
    }

    /** Hands over the leases of all nodes that were read. */
    public void saw(Sight sight, Map<String, ShardMap> maps) {
        Long last = lastNanos;
        if (last == null || sight.beganNanos() - last >= BETWEEN.toNanos()) {
            lastNanos = sight.beganNanos();
            seen.set(new Seen(sight, maps));
            wake.run();
        }
    }

    /** Hands over a hint that shards have moved or are to move: the ownership loop reads the leases soon. */
    public void hint() {
        hint.set(true);
        wake.run();
    }

    /** Takes the hint, once. */
    boolean takeHint() {
        return hint.getAndSet(false);
    }

    /** Takes the leases, once; nothing if there are none, or if they are outdated. */
    Map<String, ShardMap> take() {
        Seen taken = seen.getAndSet(null);
        boolean holds = taken != null
                && taken.sight.writes() == writes.getAsLong()
                && clock.nanoTime() - taken.sight.beganNanos() < LONG.toNanos();
        return holds ? taken.maps : Map.of();
    }
}

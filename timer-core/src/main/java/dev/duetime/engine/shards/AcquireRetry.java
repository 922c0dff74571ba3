package dev.duetime.engine.shards;

import java.time.Duration;
import java.util.Collections;
import java.util.Set;

/**
 * The wait before a node asks again for shards that it wanted and did not get. If another node was quicker, the next
 * view shows that. If another transaction holds the row, the same shards are missed again and again, so the wait
 * doubles each time. Used by the thread of the ownership loop.
 */
final class AcquireRetry {
    private static final Duration FIRST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMillis(250);

    private Set<Integer> missedBefore = Set.of();
    private Duration wait = Duration.ZERO;

    /** Returns how long to wait; zero if no shard was missed. */
    Duration after(Set<Integer> missed) {
        boolean again = !Collections.disjoint(missed, missedBefore);
        missedBefore = Set.copyOf(missed);
        wait = missed.isEmpty() ? Duration.ZERO : again ? shorter(wait.multipliedBy(2), LONGEST) : FIRST;
        return wait;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

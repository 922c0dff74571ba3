package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The occurrences to which this node has skipped. Such an occurrence is delivered even if its successor has become due
 * while the skip was written and the timer was read again. Otherwise a timer whose period is shorter than that would
 * never be delivered.
 *
 * <p>After a restart, with another owner, or beyond the most that are remembered, a timer is skipped once more.
 * Thread-safe.
 */
public final class SkipTargets {
    /** Bounds memory. While it is full, only an old target makes room. */
    private static final int MOST = 10_000;

    /** If the timer is not read again in this time, the node or the store was away. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    // Mutable state, guarded by this. The targets are in the order in which they were added.
    private final Map<TimerKey, Target> targets = new LinkedHashMap<>();
    private long failures;

    private record Target(long generation, Instant at) {
        boolean isOld(Instant now) {
            return at.plus(KEPT).isBefore(now);
        }
    }

    /** Adds the occurrence to which a timer moves, because those before it were missed. */
    synchronized void add(Settlement.Moved moved, Instant now) {
        targets.remove(moved.key());
        if (targets.size() >= MOST) {
            Iterator<Target> all = targets.values().iterator();
            if (!all.next().isOld(now)) {
                return;
            }
            all.remove();
        }
        targets.put(moved.key(), new Target(moved.nextGeneration(), now));
    }

    /**
     * Returns whether the current occurrence of the timer is such a target, and was neither tried nor put off since.
     */
    synchronized boolean isUntried(StoredTimer timer, Instant now) {
        Target target = targets.get(timer.key());
        if (target == null) {
            return false;
        }
        if (target.generation != timer.generation() || target.isOld(now)) {
            targets.remove(timer.key());
            return false;
        }
        return timer.attempt() == 0 && timer.dueAt().equals(timer.wakeAt());
    }

    /**
     * Forgets all targets if the publisher has failed since the last call: they may have been tried, and no attempt
     * counts in an outage.
     *
     * @param allFailures how often the publisher has failed
     */
    public synchronized void forgetAfter(long allFailures) {
        if (allFailures != failures) {
            targets.clear();
        }
        failures = allFailures;
    }
}

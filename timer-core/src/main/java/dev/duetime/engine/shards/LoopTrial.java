package dev.duetime.engine.shards;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision to leave the shards of a queue to other nodes, because one of its loops has stopped or fails in each
 * turn. A loop without shards has nothing to do, so it does not fail, and proves nothing. Hence the node takes shards
 * again on trial, after a pause. Each failed trial doubles the pause. Changed by the thread of the ownership loop;
 * {@link #since} is read by any.
 */
final class LoopTrial {
    private static final Logger LOG = LoggerFactory.getLogger(LoopTrial.class);

    /** A loop that has been late for this long has ended, or gets no CPU time. Other nodes must deliver its timers. */
    private static final Duration LATE = Duration.ofSeconds(30);

    private static final Duration LATE_ON_TRIAL = Duration.ofSeconds(3);

    /**
     * For how many turns in a row a loop is late before it counts as stopped. After a pause of the whole process, loops
     * are late for one turn only.
     */
    private static final int LATE_TURNS = 3;

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    /** How long a trial lasts before the loop counts as repaired. */
    private static final Duration TRIAL = Duration.ofMinutes(1);

    /** How long after the begin of a trial the next failure counts as the first one. */
    private static final Duration FORGOTTEN = LONGEST_PAUSE;

    private final String queue;
    private final Clock clock;

    // Mutable state.
    private int lateTurns;

    /** The last pause; zero if no failure is remembered. */
    private Duration pause = Duration.ZERO;

    private long trialAtNanos;
    private volatile @Nullable Instant since;

    LoopTrial(String queue, Clock clock) {
        this.queue = queue;
        this.clock = clock;
    }

    /**
     * Returns whether to leave the shards to other nodes in this turn.
     *
     * @param isLate returns whether a loop of the queue has been late, or has failed in each turn, for that long
     * @param alone whether there is no other node; then no pause is longer than the first
     */
    boolean leaves(Predicate<Duration> isLate, boolean alone) {
        if (!pause.isZero() && !hasPassed(Duration.ZERO)) {
            return true;
        }
        Duration limit = pause.isZero() ? LATE : LATE_ON_TRIAL;
        lateTurns = isLate.test(limit) ? lateTurns + 1 : 0;
        if (lateTurns < LATE_TURNS) {
            trust();
            return false;
        }
        if (lateTurns == LATE_TURNS) {
            pause = alone ? SHORTEST_PAUSE : longer(pause);
            trialAtNanos = clock.nanoTime() + pause.toNanos();
            since = since == null ? clock.now().minus(limit) : since;
            LOG.error(
                    "a loop of queue {} has stopped, or fails in each turn: its shards are left to other nodes for {}",
                    queue,
                    pause);
        }
        return true;
    }

    private void trust() {
        if (lateTurns == 0 && hasPassed(TRIAL)) {
            since = null;
        }
        if (lateTurns == 0 && hasPassed(FORGOTTEN)) {
            pause = Duration.ZERO;
        }
    }

    private boolean hasPassed(Duration afterTrial) {
        return clock.nanoTime() - trialAtNanos >= afterTrial.toNanos();
    }

    private static Duration longer(Duration pause) {
        if (pause.isZero()) {
            return SHORTEST_PAUSE;
        }
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }

    /** Returns since when a loop has been broken; null if none is, or if a trial has succeeded. */
    @Nullable
    Instant since() {
        return since;
    }
}

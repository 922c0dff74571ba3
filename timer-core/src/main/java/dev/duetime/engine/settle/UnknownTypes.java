package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Printable;
import dev.duetime.internal.Times;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delay of timers for which this node has no handler: in a rolling deploy another node has one. The row itself
 * stores, as its failure, since when the timer waits. So the wait continues after a restart or with another owner.
 * Thread-safe.
 */
public final class UnknownTypes {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownTypes.class);
    private static final String WAITS = "waits for a node that knows it: ";
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    /** The delay is the time that the timer has waited, divided by this. */
    private static final int PART = 10;
    /** Bounds memory and the chain of causes. */
    private static final int MOST = 100;

    private final String queue;
    private final Duration limit;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /**
     * Creates the delay of a queue.
     *
     * @param limit how long a timer waits before it ends as dead
     */
    public UnknownTypes(String queue, Duration limit) {
        this.queue = queue;
        this.limit = limit;
    }

    /** Returns the settlement that puts the timer off; null if it has waited for too long. */
    @Nullable
    Settlement putOff(StoredTimer timer, Throwable error, Instant now) {
        Failure before = timer.failure();
        Instant since = before != null && continues(before, now) ? before.firstAt() : now;
        Duration waited = Duration.between(since, now);
        if (waited.compareTo(limit) >= 0) {
            return null;
        }
        logOnce(timer, error);
        Duration delay = Duration.ofSeconds(waited.toSeconds() / PART);
        delay = delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
        Instant giveUpAt = since.plus(limit);
        Instant wakeAt = Micros.ceil(Times.earlier(now.plus(delay), giveUpAt));
        Failure failure =
                new Failure(WAITS + StoredTimers.failure(null, error, now).error(), since, now);
        return new Settlement.Retried(timer.key(), timer.generation(), wakeAt, timer.attempt(), failure);
    }

    /**
     * Returns whether the timer has waited for a node since that failure. It has not if nothing has tried it for longer
     * than the limit: its queue was paused, an operator moved it, or another node has run it since.
     */
    private boolean continues(Failure before, Instant now) {
        return before.error().startsWith(WAITS)
                && !now.isAfter(before.lastAt().plus(limit).plus(LONGEST));
    }

    private void logOnce(StoredTimer timer, Throwable error) {
        String type = timer.content().type();
        String step = timer.content().step();
        if (logged.size() < MOST && logged.add(type + " " + step)) {
            LOG.warn(
                    "queue {} has no handler on this node for type {}{}; its timers wait for another node, for {} at"
                            + " most: {}",
                    queue,
                    Printable.line(type),
                    step == null ? "" : ", step " + Printable.line(step),
                    limit,
                    ErrorText.of(error));
        }
    }
}

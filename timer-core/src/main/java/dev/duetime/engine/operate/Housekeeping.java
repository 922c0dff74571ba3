package dev.duetime.engine.operate;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.schedule.RowsApart;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.internal.Times;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The housekeeping of a node. Once a minute it sets the clock, lets patterns maintain their timers, and samples. It
 * also deletes ended timers when they are old enough.
 */
public final class Housekeeping implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    /**
     * How many times in a row a failed turn is retried soon although no other loop notices an outage. That takes longer
     * than a renewal of leases: if the store is away, other loops have noticed it by then.
     */
    private static final int SOON = 12;

    private final Clock clock;
    private final Sampler sampler;
    private final SampleWriter writer;
    private final EmptyPurges emptyPurges;
    private final HistoryWriter history;
    private final Outage outage;
    private final List<Purge> purges = new ArrayList<>();

    /** When to maintain and sample next. Used by the housekeeping thread. */
    private long roundNanos;

    private volatile List<Upkeep> maintained = List.of();
    /** The patterns that failed the last time. Used by the housekeeping thread. */
    private final Set<Upkeep> failing = new HashSet<>();
    /**
     * The purges that failed the last time. While there is one, the outage is not over. Used by the housekeeping
     * thread.
     */
    private final Set<Purge> failingPurges = new HashSet<>();

    private volatile boolean closing;

    /** Calls the patterns, which may be the user's. */
    private final UserCode userCode = new UserCode(() -> closing);

    /** Until when patterns have nothing to do, as they said in the last round. Used by the housekeeping thread. */
    private Instant maintainedUntil = Instant.MIN;

    /** Whether the last turn finished its work. */
    private boolean isDone;

    public Housekeeping(
            Clock clock,
            NodeSettings node,
            Sampler sampler,
            SampleWriter writer,
            HistoryWriter history,
            EmptyPurges emptyPurges) {
        this.clock = clock;
        this.emptyPurges = emptyPurges;
        this.sampler = sampler;
        this.writer = writer;
        this.history = history;
        this.outage = new Outage(node.listeners().availability(Availability.STORE), node.random());
        roundNanos = clock.nanoTime();
    }

    /** Adds a queue whose ended timers are deleted. Must be called before the first turn. */
    public void purge(Purge queue) {
        purges.add(queue);
    }

    /** Sets what else is done in each turn. Must be called before the first turn. */
    public void maintain(List<Upkeep> patterns) {
        maintained = List.copyOf(patterns);
    }

    /** Ends the running turn after its current batch. */
    public void close() {
        closing = true;
    }

    /** Writes what else waits, after the last turn. The store may hang. */
    public void finish() {
        history.finish();
    }

    @Override
    public Instant run() {
        Instant writeAt = closing ? Instant.MAX : Times.earlier(writer.run(), history.run());
        return Times.earlier(writeAt, keepHouse());
    }

    private Instant keepHouse() {
        isDone = false;
        try {
            keepInOrder();
            isDone = failingPurges.isEmpty();
            if (isDone) {
                outage.over(clock.now());
            }
        } catch (StoreException | OutOfMemoryError e) {
            Instant retryAt = outage.failed(e, clock.now());
            // If other loops notice the outage, all steps are retried, so that its end is noticed. If not, the cause
            // may be a slow purge.
            if (outage.isShared() || outage.failures() <= SOON) {
                return retryAt;
            }
            // Retries only the steps that failed: the deletion of one queue may fail permanently, and the others must
            // keep up.
            long later = clock.nanoTime() + EVERY.toNanos();
            failingPurges.forEach(each -> each.postpone(later));
            if (clock.nanoTime() - roundNanos >= 0) {
                roundNanos = later;
            }
        }
        return nextTurn();
    }

    /** A purge may be skipped, because the next one deletes the same timers. A sample may not. */
    @Override
    public Instant idleUntil() {
        if (!isDone
                || writer.isWatched()
                || history.isWaiting()
                || clock instanceof StoreClock
                || !purges.stream().allMatch(Purge::isSlow)) {
            return Instant.MIN;
        }
        if (sampler.isWanted()) {
            return LeftOutTurns.at(roundNanos, clock);
        }
        return maintained.isEmpty() ? Instant.MAX : Times.earlier(maintainedUntil, LeftOutTurns.FAR);
    }

    @Override
    public Instant leftOut() {
        try {
            purges.forEach(Purge::leftOut);
        } catch (StoreException e) {
            LOG.debug("a purge failed; retrying at once: {}", e.getClass().getName());
            return clock.now();
        }
        long round = LeftOutTurns.last(roundNanos, EVERY, clock);
        roundNanos = round == Long.MIN_VALUE ? roundNanos : round + EVERY.toNanos();
        return nextTurn();
    }

    private Instant nextTurn() {
        long next = purges.stream()
                .mapToLong(each -> each.nextNanos() - clock.nanoTime())
                .reduce(roundNanos - clock.nanoTime(), Math::min);
        return clock.now().plusNanos(Math.max(0, next));
    }

    /** Runs each step although another one failed: the failure may be permanent, and only that step's. */
    private void keepInOrder() {
        List<Runnable> steps = new ArrayList<>();
        boolean round = clock.nanoTime() - roundNanos >= 0;
        if (round) {
            steps.add(this::refreshClock);
            maintainedUntil = Instant.MAX;
            maintained.forEach(pattern -> steps.add(() -> maintain(pattern)));
            steps.add(() -> sampler.sample(clock.now()));
        }
        StoreException first = run(steps);
        if (round && first == null) {
            roundNanos = clock.nanoTime() + EVERY.toNanos();
        }
        List<Runnable> deletions = new ArrayList<>(List.of(() -> emptyPurges.rest(purges)));
        purges.forEach(queue -> deletions.add(() -> deleteEnded(queue)));
        StoreException purge = run(deletions);
        if (first != null || purge != null) {
            throw first != null ? first : Objects.requireNonNull(purge);
        }
    }

    /** Runs all steps. Returns the first failure; null if there is none. */
    private @Nullable StoreException run(List<Runnable> steps) {
        StoreException first = null;
        for (Runnable step : steps) {
            try {
                if (!closing) {
                    step.run();
                }
            } catch (StoreException e) {
                first = first == null ? e : first;
            }
        }
        return first;
    }

    private void deleteEnded(Purge queue) {
        try {
            if (queue.run()) {
                failingPurges.remove(queue);
            }
        } catch (StoreException | OutOfMemoryError e) {
            failingPurges.add(queue);
            throw e;
        }
    }

    private void refreshClock() {
        if (clock instanceof StoreClock storeClock) {
            storeClock.sampleEachMinute();
        }
    }

    /** A failure of one pattern affects neither the others nor the other steps. */
    private void maintain(Upkeep pattern) {
        Answer<Instant> answer = userCode.call(pattern::run);
        Instant until = answer.value();
        if (until != null) {
            maintainedUntil = Times.earlier(maintainedUntil, until);
            failing.remove(pattern);
        } else if (answer.error() instanceof StoreException e && !RowsApart.isOfARow(e)) {
            throw e;
        } else {
            maintainedUntil = Instant.MIN;
            if (failing.add(pattern)) {
                Throwable error = Objects.requireNonNullElseGet(answer.error(), NullPointerException::new);
                LOG.error(
                        "timers of an extension could not be maintained; retrying each minute",
                        ErrorText.traceOf(error));
            }
        }
    }
}

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
import dev.duetime.internal.Errors;
import dev.duetime.internal.Times;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.store.DoubtfulException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The housekeeping of a node. Once a minute it sets the clock, lets patterns maintain their timers, and samples. It
 * also deletes ended timers when they are old enough.
 */
public final class Housekeeping implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
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

    /** When to set the clock and to sample. */
    private final EachMinute round;

    /** When to call the patterns. A round that fails does not repeat their calls. */
    private final EachMinute upkeep;

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
        round = new EachMinute(clock);
        upkeep = new EachMinute(clock);
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

    /** A failure of what is written for people does not stop the other work. */
    @Override
    public Instant run() {
        Instant writeAt = Instant.MAX;
        Instant nextAt;
        try {
            writeAt = closing ? Instant.MAX : Times.earlier(writer.run(), history.run());
        } finally {
            nextAt = keepHouse();
        }
        return Times.earlier(writeAt, nextAt);
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
            long now = clock.nanoTime();
            failingPurges.forEach(each -> each.postpone(now + EachMinute.EVERY.toNanos()));
            Stream.of(round, upkeep).filter(EachMinute::isDue).forEach(each -> each.done(now));
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
            return LeftOutTurns.at(nextRoundNanos(), clock);
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
        round.leftOut();
        upkeep.leftOut();
        return nextTurn();
    }

    private Instant nextTurn() {
        long next = purges.stream()
                .mapToLong(each -> each.nextNanos() - clock.nanoTime())
                .reduce(nextRoundNanos() - clock.nanoTime(), Math::min);
        return clock.now().plusNanos(Math.max(0, next));
    }

    /** Returns when a round or the upkeep is due, whichever is sooner. */
    private long nextRoundNanos() {
        boolean upkeepIsFirst = !maintained.isEmpty() && upkeep.nextNanos() - round.nextNanos() < 0;
        return upkeepIsFirst ? upkeep.nextNanos() : round.nextNanos();
    }

    /** Runs each step although another one failed: the failure may be permanent, and only that step's. */
    private void keepInOrder() {
        List<Throwable> failures = new ArrayList<>();
        boolean rounds = round.isDue();
        boolean maintains = upkeep.isDue();
        boolean isSet = rounds && run(List.of(this::refreshClock), failures);
        boolean isUpkept = maintains && run(calls(), failures);
        boolean isSampled = rounds && run(List.of(() -> sampler.sample(clock.now())), failures);
        // At one count, or the next ones would be two turns.
        long now = clock.nanoTime();
        if (isSet && isSampled) {
            round.done(now);
        }
        if (isUpkept) {
            upkeep.done(now);
        }
        List<Runnable> deletions = new ArrayList<>(List.of(() -> emptyPurges.rest(purges)));
        purges.forEach(queue -> deletions.add(() -> deleteEnded(queue)));
        run(deletions, failures);
        if (!failures.isEmpty()) {
            throw Errors.unchecked(failures.get(0));
        }
    }

    /** Runs all steps. Returns whether none failed; otherwise adds the failures. */
    private boolean run(List<Runnable> steps, List<Throwable> failures) {
        int before = failures.size();
        for (Runnable step : steps) {
            try {
                if (!closing) {
                    step.run();
                }
            } catch (RuntimeException | Error e) {
                UserCode.rethrowFatal(e);
                failures.add(e);
            }
        }
        return failures.size() == before;
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

    private List<Runnable> calls() {
        maintainedUntil = Instant.MAX;
        return maintained.stream()
                .<Runnable>map(pattern -> () -> maintain(pattern))
                .toList();
    }

    /** A failure of one pattern affects neither the others nor the other steps. */
    private void maintain(Upkeep pattern) {
        Answer<Instant> answer = userCode.call(pattern::run);
        Instant until = answer.value();
        if (until != null) {
            maintainedUntil = Times.earlier(maintainedUntil, until);
            failing.remove(pattern);
        } else if (answer.error() instanceof StoreException e
                && (!RowsApart.isOfARow(e) || e instanceof DoubtfulException)) {
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

package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.Times;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of a loop's next read. The loop remembers it from earlier reads, and asks the store at least once every poll
 * interval. The store's answer also says whether the queue is paused. Used by the loop's thread, except {@link
 * #announce}, {@link #announceUnknown} and {@link #answers}.
 */
final class NextRead {
    private static final Logger LOG = LoggerFactory.getLogger(NextRead.class);

    /** The question for health rests so many times as long as it took. */
    private static final int OLDEST_PART = 20;

    /** The store's unit of time. */
    private static final long MICRO = 1_000;

    private final String queue;
    private final Duration pollInterval;
    private final ScheduleStore store;
    private final Clock clock;
    private final PauseFlag pause;
    private final LoopVitals vitals;
    private final ReadPlan plan;
    private final Announced announced;

    /** No timer is due before this time, as far as the loop's thread knows. */
    private Instant nextDue = Instant.MAX;

    /** Timers due up to here were read but cannot be delivered now. The store is asked only for later ones. */
    private Instant undeliverableUpTo = Instant.MIN;

    private long undeliverableUntilNanos;

    /** When to ask the store again, even if the loop is busy. */
    private long askAtNanos;

    /** When to ask the store again while there is no room for a read; {@link Instant#MAX} if there is room. */
    private Instant waitsUntil = Instant.MAX;

    /** Whether the read of this turn only looks for timers that other reads leave out. */
    private boolean looksBeside;

    /** When a timer was due for which there was no room yet; {@link Instant#MAX} if there was none. */
    private Instant withoutRoom = Instant.MAX;

    private final IdleAnswers answers = new IdleAnswers();

    private final LateArrivals lateArrivals;

    /** Whether the store was last asked for all timers, not only for those after the window began. */
    private boolean askedForAll = true;

    /** When the store was asked last without leaving out any timer that may be due. */
    private long shownAllAtNanos;

    /** From when on the store may be asked for the oldest timer only for health. */
    private long oldestAtNanos;

    NextRead(LoopParts parts, LoopVitals vitals, ReadPlan plan) {
        queue = parts.queue().name();
        pollInterval = parts.queue().pollInterval();
        store = parts.store();
        clock = parts.clock();
        pause = parts.pause();
        this.vitals = vitals;
        this.plan = plan;
        announced = new Announced(clock);
        askAtNanos = clock.nanoTime();
        shownAllAtNanos = askAtNanos;
        oldestAtNanos = askAtNanos;
        lateArrivals = new LateArrivals(clock, (shards) -> pause.read(() -> store.nextDue(queue, shards, Instant.MIN)));
    }

    /** Makes the next question and read go back to that time; {@link Instant#MIN} if it is not known. */
    void goBackTo(Instant dueAt) {
        if (dueAt.equals(Instant.MIN)) {
            announced.addUnknown();
        } else {
            plan.announce(dueAt);
        }
    }

    /**
     * Notes that a timer may be due at that time; {@link Instant#MIN} for all that is due. Does not wake the loop.
     * Called by any thread.
     */
    void announce(Instant dueAt) {
        announced.add(dueAt);
        answers.invalidate();
    }

    /** Notes that a timer may be due, it is not known when. Does not wake the loop. Called by any thread. */
    void announceUnknown() {
        announced.addUnknown();
        answers.invalidate();
    }

    /** Returns the answers to polls that the node made for all of its idle queues. Thread-safe. */
    IdleAnswers answers() {
        return answers;
    }

    /**
     * Returns when to read next. If there is no room for a read, returns when to ask the store again.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    Instant find(Claim claim, Instant now) {
        answers.beginTurn();
        if (!plan.hasRoom()) {
            return whileThereIsNoRoom(claim, now);
        }
        waitsUntil = Instant.MAX;
        nextDue = Times.earlier(nextDue, announced.take(plan));
        looksBeside = !pause.isPaused() && plan.looksBeside();
        if (looksBeside) {
            return now;
        }
        plan.oldestIs(withoutRoom);
        Instant earliest = withoutRoom;
        withoutRoom = Instant.MAX;
        if (plan.takeReadAgain()) {
            undeliverableUpTo = Instant.MIN;
            earliest = Instant.MIN;
        }
        Instant late = lateArrivals.search(claim.shards(), plan.settledBefore(claim), plan.readsFrom());
        plan.announce(late);
        nextDue = Times.earlier(nextDue, Times.earlier(earliest, late));
        boolean isIdle = nextDue.isAfter(now);
        if (isIdle || isTimeToAsk() || answers.isGiven()) {
            nextDue = ask(
                    claim, now, isIdle && lateArrivals.untilAll(pollInterval).isZero());
        }
        return Times.earlier(nextDue, announced.nextTry(now));
    }

    /** Asks the store but does not read, so that the loop notices a pause. */
    private Instant whileThereIsNoRoom(Claim claim, Instant now) {
        if (isTimeToAsk()) {
            ask(claim, now, true);
        }
        withoutRoom = Times.earlier(withoutRoom, nextDue);
        answers.invalidate();
        nextDue = Instant.MAX;
        waitsUntil = now.plusNanos(Math.max(1, askAtNanos - clock.nanoTime()));
        return waitsUntil;
    }

    /**
     * Asks the store.
     *
     * @param all whether to ask for all timers; else only late arrivals may be missed, for which the loop searches
     */
    private Instant ask(Claim claim, Instant now, boolean all) {
        undeliverableUpTo = hasUndeliverable() ? undeliverableUpTo : Instant.MIN;
        IdleAnswers.Answer answer = answers.take(claim.shards());
        if (answer != null && undeliverableUpTo.equals(Instant.MIN)) {
            Instant wakeAt = pause.read(answer.next(), answer.pauseChanges()).wakeAt();
            vitals.polled(answer.askedAt(), wakeAt, Instant.MIN);
            askedForAll(answer.askedNanos());
            plan.oldestIs(wakeAt == null ? Instant.MAX : wakeAt);
            return wakeAt == null ? Instant.MAX : wakeAt;
        }
        long began = clock.nanoTime();
        Instant settledBefore = all ? Instant.MIN : plan.settledBefore(claim);
        askedForAll = settledBefore.equals(Instant.MIN);
        Instant after = settledBefore.equals(Instant.MIN)
                ? undeliverableUpTo
                : Times.later(undeliverableUpTo, settledBefore.minusNanos(MICRO));
        boolean showsAll = after.equals(Instant.MIN) || (undeliverableUpTo.equals(Instant.MIN) && !plan.hasUnwritten());
        Instant wakeAt = nextDue(claim, after);
        plan.oldestIs(wakeAt == null ? Instant.MAX : wakeAt);
        // The bound of an older read may hide timers that were scheduled since then with a due time in the past.
        undeliverableUpTo = hasUndeliverable() && plan.holdsTimers() ? undeliverableUpTo : Instant.MIN;
        shown(now, wakeAt, showsAll ? Instant.MIN : Instant.MAX, began);
        askForOldest(claim);
        askAtNanos = clock.nanoTime() + pollInterval.toNanos();
        if (askedForAll) {
            lateArrivals.searchedAll(began, clock.nanoTime() - began);
        }
        return wakeAt == null ? Instant.MAX : wakeAt;
    }

    /** Asks for the oldest timer, if all answers of a polling interval may have left it out. Only health needs it. */
    private void askForOldest(Claim claim) {
        long now = clock.nanoTime();
        if (now - shownAllAtNanos >= pollInterval.toNanos() && now - oldestAtNanos >= 0) {
            try {
                vitals.oldestIs(nextDue(claim, Instant.MIN));
            } catch (StoreException e) {
                // It may pass over much, and take longer than the database allows.
                LOG.debug("the oldest timer of queue {} is not known: {}", queue, ErrorText.of(e));
            }
            long ended = clock.nanoTime();
            oldestAtNanos = ended + Math.max(pollInterval.toNanos(), OLDEST_PART * (ended - now));
        }
    }

    private @Nullable Instant nextDue(Claim claim, Instant after) {
        return pause.read(() -> store.nextDue(queue, claim.shards(), after)).wakeAt();
    }

    /** Notes an answer for health reports. */
    private void shown(Instant now, @Nullable Instant wakeAt, Instant from, long beganNanos) {
        vitals.polled(now, wakeAt, from);
        shownAllAtNanos = from.equals(Instant.MIN) ? beganNanos : shownAllAtNanos;
    }

    private boolean hasUndeliverable() {
        return clock.nanoTime() - undeliverableUntilNanos < 0;
    }

    private boolean isTimeToAsk() {
        return clock.nanoTime() - askAtNanos >= 0;
    }

    /** Notes when the store was asked for all timers. */
    void askedForAll(long nanos) {
        askAtNanos = nanos + pollInterval.toNanos();
        askedForAll = true;
        shownAllAtNanos = nanos;
        lateArrivals.searchedAll(nanos, 0);
    }

    /**
     * Returns when to ask for all timers, if the store was not asked for those behind the window. Returns {@link
     * Instant#MAX} otherwise, and if it is time already: then this turn could not ask.
     */
    Instant asksForAllAt(Instant now) {
        Duration wait = lateArrivals.untilAll(pollInterval);
        return askedForAll || wait.isZero() ? Instant.MAX : now.plus(wait);
    }

    /**
     * Notes what a read shows of the timers that are due.
     *
     * @param beganNanos when the read began
     */
    void hasRead(DueTimers read, Instant now, long beganNanos) {
        // A row that cannot be read may be older than the first timer, and a page without timers may be a part.
        boolean isUnclear = !read.undecodable().isEmpty() || (read.timers().isEmpty() && read.more());
        Instant first = read.timers().isEmpty() ? null : read.timers().get(0).wakeAt();
        shown(now, first, isUnclear ? Instant.MAX : plan.shownFrom(), beganNanos);
    }

    /**
     * Notes the consequences of a read and its delivery for the next read.
     *
     * @param beganNanos when the read began
     */
    void after(Delivered delivered, Instant now, long beganNanos) {
        if (looksBeside && plan.isBeside()) {
            return;
        }
        if (plan.wasOfAll()) {
            lateArrivals.searchedAll(beganNanos, 0);
        }
        nextDue = delivered.readsAtOnce() ? now : Instant.MAX;
        undeliverableUpTo = delivered.undeliverableFor().isZero() ? Instant.MIN : now;
        undeliverableUntilNanos =
                clock.nanoTime() + delivered.undeliverableFor().toNanos();
    }

    /** Forgets the remembered time: the next turn that reads reads at once, also timers of an abandoned read. */
    void forget() {
        plan.forget();
        nextDue = Instant.MIN;
    }

    /**
     * Makes the first turn that owns a shard ask the store and read. Returns {@link Instant#MAX}, because there is
     * nothing to read before.
     */
    Instant readOnceShardsAreOwned() {
        waitsUntil = Instant.MAX;
        askAtNanos = clock.nanoTime();
        return readOnceResumed();
    }

    /**
     * Makes the first turn after a pause read. Returns when to ask the store again if there was no room for a read;
     * else {@link Instant#MAX}.
     */
    Instant readOnceResumed() {
        announce(Instant.MIN);
        nextDue = Instant.MAX;
        return waitsUntil;
    }

    /** Returns when the next timer is due, as far as is known; {@link Instant#MAX} if there is none. */
    Instant nextDue() {
        return nextDue;
    }

    /**
     * Lets the node poll for this queue and others, if the queue is paused or all turns until the next due time only
     * ask the store again.
     */
    void endIdleTurn(boolean onlyAsks, Instant now) {
        boolean isPaused = pause.isPaused() && waitsUntil.equals(Instant.MAX) && undeliverableUpTo.equals(Instant.MIN);
        if (onlyAsks && (isPaused || isQuiet(now))) {
            answers.allow(pause.changes());
        }
    }

    /** Returns whether all turns until the next due time only ask the store again. */
    boolean isQuiet(Instant now) {
        return nextDue.isAfter(now)
                && waitsUntil.equals(Instant.MAX)
                && announced.isEmpty()
                && Instant.MAX.equals(withoutRoom)
                && undeliverableUpTo.equals(Instant.MIN);
    }
}

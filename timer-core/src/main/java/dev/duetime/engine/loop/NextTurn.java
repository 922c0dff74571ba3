package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;

/**
 * The time of a loop's next turn. It knows which turns only ask the store when the next timer is due: the clock of a
 * test may skip these. Used by the loop's thread, except {@link #announceUncommitted}.
 */
final class NextTurn {
    private final Duration pollInterval;
    private final Clock clock;
    private final NextRead nextRead;
    private final LoopVitals vitals;
    private final CommitHints hints;

    /** Until when turns find nothing, if the last turn only asked the store; {@link Instant#MIN} after a failure. */
    private Instant idleUntil = Instant.MIN;

    /** The time of the last such turn, and the interval to the next one. */
    private Instant polledAt = Instant.MIN;

    private Duration polledEvery = Duration.ZERO;

    NextTurn(Duration pollInterval, Clock clock, NextRead nextRead, LoopVitals vitals) {
        this.pollInterval = pollInterval;
        this.clock = clock;
        this.nextRead = nextRead;
        this.vitals = vitals;
        hints = new CommitHints(pollInterval);
    }

    /**
     * Makes turns ask for a timer whose commit the loop does not see. Returns when the first of these turns must be.
     * Called by any thread.
     *
     * @param dueAt when it is due; {@link Instant#MIN} if that is not known
     */
    Instant announceUncommitted(Instant dueAt) {
        Instant first = hints.add(dueAt, clock.now());
        nextRead.answers().invalidate();
        return first;
    }

    /** Notes that a turn begins. If it must ask for timers whose commit the loop does not see, it asks from there. */
    void begin() {
        idleUntil = Instant.MIN;
        hints.take(clock.now()).forEach(nextRead::goBackTo);
    }

    /**
     * Returns when the next turn is, after a turn that delivered nothing.
     *
     * @param due when to read next
     * @param upkeep when the delivery has upkeep to do
     * @param nothingInDelivery whether all timers that were read are settled
     */
    Instant at(Instant due, Instant upkeep, boolean nothingInDelivery) {
        Instant now = clock.now();
        Instant hinted = hints.next();
        Instant asksForAll = nextRead.asksForAllAt(now);
        Instant poll = Times.earlier(upkeep, Times.earlier(now.plus(pollInterval), asksForAll));
        boolean onlyPolls = nothingInDelivery
                && asksForAll.equals(Instant.MAX)
                && hinted.equals(Instant.MAX)
                && now.equals(vitals.lastPoll())
                && nextRead.isQuiet(now);
        idleUntil = now;
        if (onlyPolls && poll.isAfter(now)) {
            idleUntil = Times.earlier(nextRead.nextDue(), LeftOutTurns.FAR);
            polledAt = now;
            polledEvery = Duration.between(now, poll);
        }
        nextRead.endIdleTurn(nothingInDelivery && hinted.equals(Instant.MAX), now);
        return Times.earlier(due, Times.earlier(hinted, poll));
    }

    /** Notes that the turn has delivered: what it did is in the store, and the next turn reads again. */
    void delivered() {
        idleUntil = clock.now();
    }

    /** Returns until when turns only ask the store. */
    Instant idleUntil() {
        return idleUntil;
    }

    /** Sets the state that it would have if the turns before now had been run. Returns when the next turn is. */
    Instant leaveOut() {
        Instant now = clock.now();
        long polled = clock.nanoTime() - Duration.between(polledAt, now).toNanos();
        long last = LeftOutTurns.last(polled, polledEvery, clock);
        if (last > polled) {
            polledAt = LeftOutTurns.at(last, clock);
            nextRead.askedForAll(last);
            Instant nextDue = nextRead.nextDue();
            vitals.polled(polledAt, nextDue.equals(Instant.MAX) ? null : nextDue, Instant.MIN);
        }
        return Times.earlier(nextRead.nextDue(), polledAt.plus(polledEvery));
    }
}

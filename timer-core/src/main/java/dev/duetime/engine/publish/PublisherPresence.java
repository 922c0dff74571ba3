package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.engine.report.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The knowledge whether the publisher is there: what got through lately, and what its failures cost. Used by one
 * thread.
 */
final class PublisherPresence {
    /** If something got through less than this ago, a timer that fails again is no sign of an outage. */
    private static final long RECENT_NANOS = Duration.ofSeconds(10).toNanos();

    /** Not if so many single timers have failed since, because it then seems to be away. */
    private static final int MOST_IN_A_ROW = 8;

    private final Clock clock;
    private final Outage outage;
    private final FailingLanes failing;
    private final SuspectedLanes suspected;

    /**
     * The cost of tries during an outage. If other lanes get through now, there was no outage, and the lanes bear the
     * cost.
     */
    private final Map<Lane, Long> spentInVain = new HashMap<>();

    private long doubtedAtNanos;

    /** How many single timers have failed since something got through, of lanes that do not fail by themselves. */
    private int failedInARow;

    private boolean somethingGotThrough;
    private boolean isKnown;
    private long gotThroughNanos;
    private long overNanos;

    PublisherPresence(Clock clock, Outage outage, FailingLanes failing, SuspectedLanes suspected) {
        this.clock = clock;
        overNanos = clock.nanoTime();
        this.outage = outage;
        this.failing = failing;
        this.suspected = suspected;
    }

    /** Begins a turn. */
    void beginTurn() {
        somethingGotThrough = false;
    }

    /** Returns whether so many timers have failed in a row that the next failures are no fault of theirs. */
    boolean seemsAway() {
        return failedInARow >= MOST_IN_A_ROW;
    }

    /** Notes whether something got through in this turn. */
    void noteOutcomes(Result result) {
        somethingGotThrough |= !result.delivered.isEmpty();
    }

    /** Returns whether something got through in this turn, or recently. */
    boolean isThere() {
        return somethingGotThrough
                || (isKnown
                        && !seemsAway()
                        && clock.nanoTime() - gotThroughNanos < RECENT_NANOS
                        && outage.failures() == 0);
    }

    /** Returns whether nothing has got through since it failed. */
    boolean isAway() {
        return outage.failures() > 0;
    }

    /** Notes the lanes of which single timers failed, if nothing got through. */
    void noteSuspects(Result result) {
        if (result.delivered.isEmpty()) {
            result.failedAlone.forEach(suspected::failed);
        }
    }

    /** Returns whether the result is the sign of an outage. */
    boolean isOutage(Result result) {
        return result.isOutage() && !somethingGotThrough;
    }

    /** Notes the results of parcels that are no sign of an outage. */
    void noteTried(List<Parcel> tried, Result result) {
        tried.stream()
                .filter(each -> result.delivered.contains(each.id()))
                .forEach(each -> spentInVain.remove(each.lane()));
        if (result.delivered.isEmpty()) {
            long nowNanos = clock.nanoTime();
            long doubtful = tried.stream()
                    .filter(each -> result.failed.containsKey(each.id())
                            && !result.certain.contains(each.id())
                            && !failing.failsByItself(each.lane(), nowNanos))
                    .count();
            failedInARow = (int) Math.min(failedInARow + doubtful, MOST_IN_A_ROW);
        }
        noteThatItIsThere(result);
        failing.note(tried, result, clock.nanoTime());
    }

    /** A publisher that names an envelope is available. An error that is the envelope's own does not show that. */
    private void noteThatItIsThere(Result result) {
        boolean gotThrough = !result.delivered.isEmpty();
        if (gotThrough) {
            failedInARow = 0;
            isKnown = true;
            gotThroughNanos = clock.nanoTime();
            spentInVain.forEach((lane, spent) -> failing.blame(lane, spent, gotThroughNanos));
            spentInVain.clear();
            suspected.clear();
        }
        if (gotThrough || (result.error == null && !result.certain.isEmpty())) {
            overNanos = isAway() ? clock.nanoTime() : overNanos;
            outage.over(clock.now());
        }
    }

    /**
     * Notes that a lane failed although something got through recently. If something gets through next, the lane bears
     * the cost.
     */
    void doubt(Result result) {
        doubtedAtNanos = spentInVain.isEmpty() ? clock.nanoTime() : doubtedAtNanos;
        result.spentNanos.forEach((lane, spent) -> spentInVain.merge(lane, spent, Long::sum));
    }

    /** Returns whether a call began before the end of the last outage, which may be the reason why it failed. */
    boolean wasAwaySince(long beganNanos) {
        return isKnown && beganNanos - overNanos < 0;
    }

    /** Returns whether a call began after a lane had failed, and nothing got through since. */
    boolean isInDoubtSince(long beganNanos) {
        return !spentInVain.isEmpty() && beganNanos - doubtedAtNanos >= 0;
    }

    /** Notes an outage. Returns until when to back off. */
    Instant failed(Result result, Throwable error, Instant now) {
        spentInVain.clear();
        doubt(result);
        return outage.failed(error, now);
    }
}

package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.internal.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The results of calls that ran in threads of their own. If one fails as a whole, the loop makes one call at a time, so
 * that the poison is found. Only calls of slow lanes go on: as soon as one of a single timer fails, it is the failure
 * of its lane if others get through, else it is a sign of an outage. Used by the loop's thread.
 */
final class EndedCalls {
    private final Clock clock;
    private final ConcurrentCalls calls;
    private final FailingLanes failing;
    private final SuspectedLanes suspected;
    private final PublisherPresence presence;
    private final PublishOutcomes outcomes;
    private Instant backOffUntil = Instant.MIN;

    EndedCalls(
            Clock clock,
            ConcurrentCalls calls,
            FailingLanes failing,
            SuspectedLanes suspected,
            PublisherPresence presence,
            PublishOutcomes outcomes) {
        this.clock = clock;
        this.calls = calls;
        this.failing = failing;
        this.suspected = suspected;
        this.presence = presence;
        this.outcomes = outcomes;
    }

    /** Returns the calls that have ended, first those that succeeded: they show whether the publisher is available. */
    List<CallThread.Ended> all() {
        List<CallThread.Ended> ended = new ArrayList<>(calls.endedCalls());
        if (!ended.isEmpty()) {
            presence.beginTurn();
            ended.sort(Comparator.comparing(each -> each.result().isOutage()));
        }
        return ended;
    }

    /** Notes how long the calls lasted. */
    void noteDurations(Result result) {
        if (calls.isConcurrent()) {
            calls.slow().note(result.made);
        }
    }

    /** Notes a call that failed as a whole. Returns whether the loop must make one call at a time next. */
    boolean noteFailed(CallThread.Ended ended) {
        List<Parcel> batch = ended.batch();
        Result result = ended.result();
        SlowCalls slow = calls.slow();
        Lane lane = slow.only(batch);
        if (lane == null) {
            // If the call was long, all of its lanes are suspected, and the next calls hold one of them each.
            return !slow.areApart() || !batch.stream().allMatch(slow.lanes()::isSlow);
        }
        if (batch.size() > 1) {
            slow.lanes().failedTogether(lane);
        } else if (presence.isThere() && (lane.isRetry() || failing.isFailing(lane))) {
            noteOwn(batch, result);
        } else if (presence.isThere() && !presence.isInDoubtSince(ended.beganNanos())) {
            presence.doubt(result);
        } else {
            backOff(outcomes.backOff(batch, result, false));
        }
        return false;
    }

    /** Notes the lanes of which single timers failed while nothing got through. */
    void noteSuspects(Result result) {
        if (result.delivered.isEmpty()) {
            result.failedAlone.forEach(suspected::failed);
        }
    }

    /**
     * Notes timers that were published apart. They have failed only if others get through. Returns those of lanes that
     * fail, or of which too many have failed: they are put off.
     *
     * @param wasThere whether others had got through when it began
     * @param isAlone whether no other timer was due then
     */
    List<Parcel> noteApart(List<Parcel> apart, Result result, boolean wasThere, boolean isAlone) {
        boolean isThere = wasThere || presence.isThere();
        if (!isThere) {
            result.forgetUncertain();
        }
        outcomes.note(apart, result);
        if (!isThere && presence.isOutage(result)) {
            backOff(outcomes.backOff(apart, result, isAlone));
            return List.of();
        }
        presence.noteTried(apart, result);
        long nanos = clock.nanoTime();
        return result.open(apart).stream()
                .filter(each -> !failing.mayTry(each.lane(), nanos) || result.givenUp.contains(each.lane()))
                .toList();
    }

    /** Notes until when to back off. */
    void backOff(Instant until) {
        backOffUntil = Times.later(backOffUntil, until);
    }

    /** Notes a failure that is the timer's own, because others get through. */
    private void noteOwn(List<Parcel> batch, Result result) {
        Throwable error = result.error;
        if (error != null) {
            batch.forEach(each -> result.failed.put(each.id(), error));
            outcomes.note(batch, result);
            presence.noteTried(batch, result);
        }
    }

    /** Takes until when to back off; {@link Instant#MIN} if there is no outage. */
    Instant takeBackOff() {
        Instant until = backOffUntil;
        backOffUntil = Instant.MIN;
        return until;
    }
}

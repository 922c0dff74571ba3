package dev.duetime.engine.loop;

import dev.duetime.internal.Times;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The signs of life of a queue's loop, for health reports. Written by the loop's thread, read by any thread. */
final class LoopVitals {
    private volatile @Nullable Instant turnSince;
    private volatile @Nullable Instant lastPoll;

    /** When the earliest timer of the last answer wakes. The answer may have left out earlier ones. */
    private volatile @Nullable Instant earliest;

    /** When the earliest timer wakes of which no later answer has shown that it is settled. */
    private volatile @Nullable Instant oldest;

    void turnBegins(Instant now) {
        turnSince = now;
    }

    void turnEnds() {
        turnSince = null;
    }

    /**
     * Notes that the store answered. An answer that leaves out timers never hides an older one that is known.
     *
     * @param wakeAt when the earliest timer of the answer wakes
     * @param shownFrom from when on the answer shows all timers; {@link Instant#MIN} if it leaves out none, {@link
     *     Instant#MAX} if it may leave out any
     */
    void polled(Instant now, @Nullable Instant wakeAt, Instant shownFrom) {
        Instant known = oldest;
        boolean replaces = known == null || !known.isBefore(shownFrom);
        oldest = replaces ? wakeAt : Times.earliest(known, wakeAt);
        earliest = wakeAt;
        lastPoll = now;
    }

    /** Notes when the oldest timer of all wakes. */
    void oldestIs(@Nullable Instant wakeAt) {
        oldest = wakeAt;
    }

    /** Notes that the node owns no shard of the queue. */
    void ownsNothing() {
        earliest = null;
        oldest = null;
    }

    /** Returns whether the running turn, or a timer of the last answer, is from before that time. */
    boolean isBehind(Instant before) {
        Instant turn = turnSince;
        Instant due = earliest;
        return (turn != null && turn.isBefore(before)) || (due != null && due.isBefore(before));
    }

    @Nullable
    Instant turnSince() {
        return turnSince;
    }

    @Nullable
    Instant lastPoll() {
        return lastPoll;
    }

    /** Returns since when the oldest timer has been due, as far as answers have shown; null if none is due. */
    @Nullable
    Instant oldestDue(Instant now) {
        Instant due = oldest;
        return due == null || due.isAfter(now) ? null : due;
    }
}

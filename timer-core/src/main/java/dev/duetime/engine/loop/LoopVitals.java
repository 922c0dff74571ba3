package dev.duetime.engine.loop;

import dev.duetime.store.DueTimers;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The signs of life of a queue's loop, for health reports. Written by the loop's thread, read by any thread. */
final class LoopVitals {
    private volatile @Nullable Instant turnSince;
    private volatile @Nullable Instant lastPoll;
    private volatile @Nullable Instant earliest;

    void turnBegins(Instant now) {
        turnSince = now;
    }

    void turnEnds() {
        turnSince = null;
    }

    /** Notes that the store answered, and when the earliest timer wakes. */
    void polled(Instant now, @Nullable Instant wakeAt) {
        earliest = wakeAt;
        lastPoll = now;
    }

    /** Notes that the store answered with the timers that are due. */
    void read(DueTimers read, Instant now) {
        polled(now, read.timers().isEmpty() ? null : read.timers().get(0).wakeAt());
    }

    /** Notes that the node owns no shard of the queue. */
    void ownsNothing() {
        earliest = null;
    }

    /** Returns whether the running turn, or a timer that was due at the last poll, is from before that time. */
    boolean isBehind(Instant before) {
        Instant turn = turnSince;
        Instant oldest = earliest;
        return (turn != null && turn.isBefore(before)) || (oldest != null && oldest.isBefore(before));
    }

    @Nullable
    Instant turnSince() {
        return turnSince;
    }

    @Nullable
    Instant lastPoll() {
        return lastPoll;
    }

    /** Returns since when the oldest timer has been due, as of the last poll; null if none is due. */
    @Nullable
    Instant oldestDue(Instant now) {
        Instant oldest = earliest;
        return oldest == null || oldest.isAfter(now) ? null : oldest;
    }
}

package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.QueuePermits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The admission of timers to calls of a publisher, by the permits of the queue. A timer that is refused holds back
 * those that follow with its parallel key. Used by one thread.
 */
final class Admission {
    private final QueuePermits permits;
    private final SuspectedLanes suspected;
    private final TenantTurns turns = new TenantTurns();

    /** The timers of this turn that have permits. */
    private final List<Parcel> admitted = new ArrayList<>();

    private final Set<String> began = new HashSet<>();
    private final Set<String> refusedKeys = new HashSet<>();
    private boolean refused;

    Admission(QueuePermits permits, SuspectedLanes suspected) {
        this.permits = permits;
        this.suspected = suspected;
    }

    boolean isLimited() {
        return permits.isLimited();
    }

    /** Sorts timers so that tenants take turns: at the permits if there are limits, else within a batch. */
    void sort(List<StoredTimer> open, int batchSize) {
        if (isLimited()) {
            turns.waiting(open);
            FairOrder.sort(open, 1, turns.counts());
        } else {
            FairOrder.sort(open, batchSize);
        }
    }

    /**
     * During an outage gives permits to the lanes that failed least. Otherwise the poison of one lane could get all of
     * them, and no other timer would show that the publisher is available.
     *
     * @return whether only timers in {@code apart} are to be tried
     */
    boolean sortForOutage(List<Parcel> fresh, List<Parcel> apart) {
        if (!isLimited()) {
            return false;
        }
        suspected.leastFirst(fresh);
        suspected.leastFirst(apart);
        return suspected.failedLess(apart, fresh);
    }

    /** Begins a turn. */
    void begin() {
        permits.beginPass(false);
        admitted.clear();
        began.clear();
        refusedKeys.clear();
        refused = false;
    }

    /** Returns the timers that may begin, at most so many, in their order. */
    List<Parcel> admit(List<Parcel> parcels, int most) {
        if (!isLimited()) {
            return parcels;
        }
        List<Parcel> some = new ArrayList<>();
        for (Parcel each : parcels) {
            String key = each.timer().content().parallelKey();
            boolean may = some.size() < most && (key == null || !refusedKeys.contains(key)) && tryBegin(each);
            if (may) {
                some.add(each);
            } else if (key != null) {
                refusedKeys.add(key);
            }
        }
        admitted.addAll(some);
        return some;
    }

    private boolean tryBegin(Parcel parcel) {
        boolean may = permits.tryBegin(parcel.timer());
        refused |= !may;
        if (may) {
            turns.add(parcel.timer());
        }
        return may;
    }

    /** Notes that the publisher is called with these timers. */
    void began(List<Parcel> parcels) {
        parcels.forEach(each -> began.add(each.id()));
    }

    /** Notes that calls beside the loop hold these timers. They keep their permits until the calls have ended. */
    void inCalls(List<Parcel> parcels) {
        admitted.removeAll(parcels);
    }

    /** Gives back the permits of a call beside the loop. */
    void callEnded(List<Parcel> parcels) {
        parcels.forEach(each -> permits.ended(each.timer()));
    }

    /** Ends the turn: gives back all permits of timers that are not in calls. */
    void end() {
        for (Parcel each : admitted) {
            if (began.contains(each.id())) {
                permits.ended(each.timer());
            } else {
                permits.undo(each.timer());
            }
        }
        admitted.clear();
    }

    /** Returns whether a timer of the last turn got no permit. */
    boolean hasRefused() {
        return refused;
    }
}

package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.DoubtedTimers;
import dev.duetime.engine.lanes.FairOrder;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.SlowPermits;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.lanes.TenantTurns;
import dev.duetime.engine.limits.QueuePermits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The admission of timers to calls of a publisher, by the permits of the queue. A timer that is refused holds back
 * those that follow with its parallel key. Used by one thread.
 */
final class Admission {
    /** While timers to be published apart wait, they get one of so many permits. */
    private static final int PART_FOR_APART = 8;

    private final QueuePermits permits;
    private final SuspectedLanes suspected;
    private final KeyOrder order;
    private final RandomGenerator random;
    private final SlowCalls slow;
    private final SlowPermits slowPermits;
    private final TenantTurns turns = new TenantTurns();

    /** The timers of this turn that have permits. */
    private final List<Parcel> admitted = new ArrayList<>();

    private final Set<String> refusedKeys = new HashSet<>();
    private boolean refused;

    /** Whether the timers that were asked last gave permits back, because there was no call for them. */
    private boolean leftPermits;

    /** How many timers got permits since the last one to be published apart got one. */
    private int sinceApart;

    /** The timer to be published apart for which permits are kept in this turn. */
    private final List<Parcel> kept = new ArrayList<>();

    Admission(QueuePermits permits, SuspectedLanes suspected, KeyOrder order, RandomGenerator random, SlowCalls slow) {
        this.permits = permits;
        this.suspected = suspected;
        this.order = order;
        this.random = random;
        this.slow = slow;
        slowPermits = new SlowPermits(permits);
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
     * During an outage gives permits to the lanes that failed least, and there to any timer. Otherwise the poison of
     * one lane could get all of them, and no other timer would show that the publisher is available.
     *
     * @param mayTry whether a timer in {@code apart} may be tried now
     * @return whether only these are to be tried
     */
    boolean sortForOutage(List<Parcel> fresh, List<Parcel> apart, Predicate<Parcel> mayTry) {
        if (!isLimited()) {
            return false;
        }
        suspected.leastFirst(fresh);
        suspected.leastFirst(apart);
        anyFirst(fresh);
        anyFirst(apart);
        List<Parcel> some = apart.stream().filter(mayTry).toList();
        return suspected.failedLess(order.inOrder(some), fresh);
    }

    private void anyFirst(List<Parcel> parcels) {
        List<Parcel> choices =
                suspected.least(parcels).stream().filter(order::isNext).toList();
        if (!choices.isEmpty()) {
            Parcel first = choices.get(random.nextInt(choices.size()));
            parcels.remove(first);
            parcels.add(0, first);
        }
    }

    /**
     * Notes that a batch failed while nothing got through. With limits, perhaps no other timer may be tried: then it is
     * in doubt whether this one is poison.
     */
    void doubtIfAlone(List<Parcel> batch, DoubtedTimers doubted) {
        if (isLimited() && batch.size() == 1) {
            Parcel alone = batch.get(0);
            doubted.add(alone.timer());
            suspected.failed(alone.lane().ofRetries());
        }
    }

    /** Begins a turn. */
    void begin() {
        permits.beginPass(false);
        slowPermits.begin(slow.batches(), slow::isApart);
        admitted.clear();
        refusedKeys.clear();
        refused = false;
        leftPermits = false;
        kept.clear();
    }

    /**
     * Keeps the permits of one timer to be published apart, if it is the turn of these. Otherwise the others could take
     * all permits as long as they wait for them.
     *
     * @param mayTry whether a timer in {@code apart} may be tried now
     */
    void keepForApart(List<Parcel> apart, Predicate<Parcel> mayTry) {
        if (isLimited() && sinceApart >= PART_FOR_APART) {
            apart.stream()
                    .filter(mayTry)
                    .filter(order::isNext)
                    .findFirst()
                    .filter(this::tryBegin)
                    .ifPresent(kept::add);
        }
    }

    /**
     * Returns the timers to be published apart that may begin, first the one whose permits are kept. If it cannot begin
     * after all, it is the turn of the others again: its permits are not kept in vain turn after turn. A timer that was
     * refused holds back only those that come after it in {@link KeyOrder}.
     */
    List<Parcel> admitApart(List<Parcel> apart) {
        if (!isLimited()) {
            return apart;
        }
        List<Parcel> some = new ArrayList<>();
        for (Parcel each : kept) {
            if (apart.contains(each)) {
                some.add(each);
            } else {
                permits.ended(each.timer());
                sinceApart = 0;
            }
        }
        admitted.addAll(some);
        kept.clear();
        refusedKeys.clear();
        List<Parcel> others = new ArrayList<>(order.inOrder(apart));
        others.removeAll(some);
        some.addAll(admit(others, others.size()));
        sinceApart = some.isEmpty() ? sinceApart : 0;
        return some;
    }

    /** Returns the timers that may begin, at most so many, in their order. */
    List<Parcel> admit(List<Parcel> parcels, int most) {
        return isLimited() ? admit(parcels, most, each -> true) : parcels;
    }

    /** Returns those that may begin of the timers that were refused in this turn, after others gave permits back. */
    List<Parcel> admitRefused(List<Parcel> parcels) {
        return admit(parcels, parcels.size(), each -> permits.isFree(each.timer()));
    }

    private List<Parcel> admit(List<Parcel> parcels, int most, Predicate<Parcel> asks) {
        List<Parcel> some = new ArrayList<>();
        for (Parcel each : parcels) {
            String key = each.timer().content().parallelKey();
            boolean isNext = key == null || !refusedKeys.contains(key);
            if (some.size() < most && isNext && asks.test(each) && tryBegin(each)) {
                some.add(each);
            } else if (key != null) {
                refusedKeys.add(key);
            }
        }
        admitted.addAll(some);
        sinceApart = Math.min(sinceApart + some.size(), PART_FOR_APART);
        return some;
    }

    private boolean tryBegin(Parcel parcel) {
        boolean isSlow = slow.isApart(parcel);
        if (isSlow && !slowPermits.leavesOthers(parcel.timer())) {
            slow.waitsForPermit(parcel);
            return false;
        }
        boolean may = permits.tryBegin(parcel.timer());
        refused |= !may;
        if (may) {
            turns.add(parcel.timer());
        }
        if (may && isSlow) {
            slowPermits.add(parcel.timer());
        }
        return may;
    }

    /** Notes that calls beside the loop hold these timers. They keep their permits until the calls have ended. */
    void inCalls(List<Parcel> parcels) {
        admitted.removeAll(parcels);
    }

    /**
     * Gives back the permits of timers for which there is no call. Those that follow with their parallel keys wait,
     * too.
     */
    void withoutCall(Set<Parcel> parcels) {
        for (Parcel each : parcels) {
            permits.ended(each.timer());
            BusyKeys.add(refusedKeys, each);
        }
        admitted.removeAll(parcels);
        leftPermits = !parcels.isEmpty();
    }

    /** Gives back the permits of a call beside the loop. */
    void callEnded(List<Parcel> parcels) {
        parcels.forEach(each -> permits.ended(each.timer()));
    }

    /** Ends the turn: gives back all permits of timers that are not in calls. */
    void end() {
        kept.forEach(each -> permits.ended(each.timer()));
        kept.clear();
        endCalls();
        if (leftPermits) {
            permits.foundNoUse();
        }
    }

    /** Gives back the permits of timers that are not in calls, except those that are kept. */
    void endCalls() {
        admitted.forEach(each -> permits.ended(each.timer()));
        admitted.clear();
    }

    /**
     * Gives back all permits that no call holds, after a turn that broke off.
     *
     * @param calls names all timers in calls
     */
    void recover(Consumer<Consumer<StoredTimer>> calls) {
        permits.keepOnly(calls);
        kept.clear();
        admitted.clear();
    }

    /** Returns the types of which a timer of the last turn got no permit of its type. */
    Set<String> refusedTypes() {
        return refused ? permits.refusedTypes() : Set.of();
    }

    /** Returns whether a timer of the last turn got no permit. */
    boolean hasRefused() {
        return refused;
    }
}

package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SlowShare;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.publish.ApartDelivery.LaneTimers;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The calls of a publisher in threads beside the loop: what each one gets, and what its result means. As long as calls
 * get something through, as many run as the queue allows. If one gets nothing through, one call at a time is made until
 * one that began later succeeds. Only calls of slow lanes go on: as soon as one of a single timer fails, it is the
 * failure of its lane if others get through, else it is a sign of an outage. Used by the loop's thread.
 */
final class BesideCalls {
    /**
     * How many timers beyond its batch a careful call holds at most, one of each lane, and how many others. One of them
     * may show that the publisher is there.
     */
    private static final int MOST_BEYOND = 8;

    private static final long SHORTEST_WAIT_NANOS = Duration.ofMillis(100).toNanos();

    private final LoopParts parts;
    private final KeyOrder order;
    private final ConcurrentCalls calls;
    private final FailingLanes failing;
    private final SuspectedLanes suspected;
    private final PublisherPresence presence;
    private final PublishOutcomes outcomes;
    private final Admission admission;
    private final ApartDelivery apartDelivery;

    /** Returns what may be published now. */
    private Supplier<Predicate<Parcel>> rights = () -> each -> false;

    /** Whether a call has failed, so that one call at a time is made until one that began later succeeds. */
    private boolean careful;

    private long failedNanos;

    private Instant backOffUntil = Instant.MIN;

    BesideCalls(
            LoopParts parts,
            KeyOrder order,
            ConcurrentCalls calls,
            FailingLanes failing,
            SuspectedLanes suspected,
            PublisherPresence presence,
            PublishOutcomes outcomes,
            Admission admission,
            ApartDelivery apartDelivery) {
        this.parts = parts;
        this.order = order;
        this.calls = calls;
        this.failing = failing;
        this.suspected = suspected;
        this.presence = presence;
        this.outcomes = outcomes;
        this.admission = admission;
        this.apartDelivery = apartDelivery;
    }

    /** Returns whether one call at a time is to be made. */
    boolean isCareful() {
        return careful || presence.isAway();
    }

    /** Takes until when to back off; {@link Instant#MIN} if there is no outage. */
    Instant takeBackOff() {
        Instant until = backOffUntil;
        backOffUntil = Instant.MIN;
        return until;
    }

    /**
     * Begins a turn.
     *
     * @param allowed called by each thread right before each of its calls; returns what may be published then
     */
    void beginTurn(Supplier<Predicate<Parcel>> allowed) {
        rights = allowed;
    }

    private int batchSize() {
        return parts.queue().batchSize();
    }

    private CallJob batch(List<Parcel> batch, List<Parcel> beyond, boolean isCareful) {
        SuspectedLanes known = suspected.copy();
        RandomGenerator random = new SplittableRandom(parts.node().random().nextLong());
        return new CallJob.OfBatch(
                batch,
                beyond,
                isCareful,
                !presence.isAway(),
                caller -> new PoisonSearch(caller, parts.clock(), random, known, true));
    }

    private boolean begin(CallJob job) {
        return calls.begin(job, this::inCalls, rights);
    }

    private void inCalls(List<Parcel> begun) {
        admission.inCalls(begun);
        begun.forEach(each -> outcomes.begun(each.timer()));
    }

    /** Begins a call with a single timer of a slow lane while others are made one at a time. */
    void beginAlone(Parcel parcel) {
        admission.admit(List.of(parcel), 1).forEach(each -> begin(batch(List.of(each), List.of(), false)));
    }

    /** Returns whether a call for timers that are published apart may begin. */
    boolean hasRoomForApart() {
        return roomForApart() > 0;
    }

    /** Returns how many calls may begin for timers that are published apart: they leave some to others. */
    private int roomForApart() {
        int left = SlowShare.mostOf(parts.queue().concurrency()) - calls.countApart();
        int room = Math.max(left, calls.apart().isEmpty() ? 1 : 0);
        // If they fail, it may be an outage, which one of them shows.
        return presence.isThere() ? room : Math.min(room, 1);
    }

    /**
     * Begins as many calls as may run: first for timers that are expected to get through, and then for each lane whose
     * timers are published apart. Of these lanes, those of which timers rest are put off.
     *
     * @param isAlone whether no other timer is due
     */
    void beginAll(List<Parcel> fresh, List<Parcel> apart, boolean isAlone) {
        long nanos = parts.clock().nanoTime();
        Map<Lane, Long> busy = calls.apart();
        busy.keySet().removeIf(lane -> !failing.isFailing(lane));
        int room = roomForApart();
        boolean wantsOne = room > 0
                && apart.stream()
                        .anyMatch(each -> !busy.containsKey(each.lane())
                                && failing.mayTry(each.lane(), nanos)
                                && order.isNext(each));
        beginFresh(fresh, wantsOne ? 1 : 0);
        calls.keys().removeFrom(apart);
        apart.removeIf(each -> outcomes.isDone(each.timer()));
        List<Parcel> ready =
                apart.stream().filter(each -> !busy.containsKey(each.lane())).toList();
        if (room > 0 && !ready.isEmpty()) {
            beginApart(ready, Math.min(room, calls.free()), isAlone);
        }
        putOffResting(ready);
        // Timers of a lane whose call runs are put off for as long as it has lasted.
        for (Parcel each : apart) {
            Long began = busy.get(each.lane());
            if (began != null) {
                outcomes.putOff(each, parts.clock().now(), nanos, Math.max(SHORTEST_WAIT_NANOS, nanos - began));
            }
        }
    }

    /**
     * Begins calls, which keep their timers in delivery. A timer that has permits may find no call. Then others get the
     * permits.
     *
     * @param kept how many free calls are left to others
     */
    private void beginFresh(List<Parcel> fresh, int kept) {
        List<Parcel> admitted = admission.admit(fresh, fresh.size());
        Set<Parcel> withoutCall = beginBatches(admitted, kept);
        if (admission.isLimited()) {
            List<Parcel> refused = without(fresh, admitted);
            while (!withoutCall.isEmpty() && !refused.isEmpty() && calls.free() > kept) {
                admission.withoutCall(withoutCall);
                admitted = admission.admitRefused(refused);
                withoutCall = beginBatches(admitted, kept);
                refused = without(refused, admitted);
            }
            admission.withoutCall(withoutCall);
        }
    }

    /** Begins calls. Returns the timers for which there was no call. */
    private Set<Parcel> beginBatches(List<Parcel> some, int kept) {
        List<Parcel> begun = new ArrayList<>();
        Consumer<List<Parcel>> inCall = batch -> {
            inCalls(batch);
            begun.addAll(batch);
        };
        calls.begin(some, batchSize(), kept, each -> batch(each, List.of(), false), inCall, rights);
        return new HashSet<>(without(some, begun));
    }

    private static List<Parcel> without(List<Parcel> all, Collection<Parcel> some) {
        Set<Parcel> left = new HashSet<>(some);
        return all.stream().filter(each -> !left.contains(each)).toList();
    }

    private void beginApart(List<Parcel> apart, int room, boolean isAlone) {
        admission.endCalls();
        boolean isThere = presence.isThere();
        int begun = 0;
        for (LaneTimers each : apartDelivery.inTurn(admission.admitApart(apart), isThere, true)) {
            // A call that has just begun may hold one of its keys.
            List<Parcel> ready = new ArrayList<>(each.parcels());
            calls.keys().removeFrom(ready);
            if (begun < room && !ready.isEmpty()) {
                LaneTimers lane = withPermits(new LaneTimers(each.lane(), ready, each.nanosEach()));
                begun += begin(new CallJob.OfLanes(List.of(lane), isThere, isAlone, apartDelivery)) ? 1 : 0;
            }
        }
    }

    /** A job keeps all its permits until it ends. So that others get some, it has one timer. */
    private LaneTimers withPermits(LaneTimers lane) {
        return admission.isLimited()
                ? new LaneTimers(lane.lane(), lane.parcels().subList(0, 1), lane.nanosEach())
                : lane;
    }

    private void putOffResting(List<Parcel> apart) {
        long nanos = parts.clock().nanoTime();
        outcomes.putOff(apart.stream()
                .filter(each -> !failing.mayTry(each.lane(), nanos))
                .toList());
    }

    /**
     * Begins one call while the publisher may be away.
     *
     * @param isAlone whether no other timer is due
     * @param triesOthers whether timers beyond the batch may be tried if it fails as a whole
     * @return whether a call has begun
     */
    boolean beginOne(List<Parcel> fresh, List<Parcel> apart, boolean isAlone, boolean triesOthers) {
        List<Parcel> ready = order.inOrder(fresh);
        List<Parcel> admitted = admission.admit(ready, batchSize());
        if (!admitted.isEmpty()) {
            int size = Math.min(admitted.size(), batchSize());
            List<Parcel> others = new ArrayList<>();
            // With limits, the search for poison tries nothing that has no permit.
            if (triesOthers && !admission.isLimited()) {
                others.addAll(ready.subList(size, ready.size()));
                others.addAll(apart);
            }
            return begin(batch(admitted.subList(0, size), beyond(others), true));
        }
        admission.endCalls();
        boolean isThere = presence.isThere();
        List<LaneTimers> lanes = apartDelivery.inTurn(admission.admitApart(apart), isThere, !presence.isAway());
        putOffResting(apart);
        return !lanes.isEmpty() && begin(new CallJob.OfLanes(lanes, isThere, isAlone, apartDelivery));
    }

    /**
     * Returns some timers beyond a batch that may be poison as a whole: one of each lane, and then any. In an outage
     * they are chosen at random, so that each timer is tried at some time, however much poison is before it.
     */
    private List<Parcel> beyond(List<Parcel> others) {
        List<Parcel> choices =
                new ArrayList<>(others.stream().filter(order::isNext).toList());
        if (presence.isAway()) {
            Collections.shuffle(choices, new Random(parts.node().random().nextLong()));
        }
        suspected.leastFirst(choices);
        Set<Lane> lanes = new HashSet<>();
        Set<Parcel> beyond = new LinkedHashSet<>();
        choices.stream()
                .filter(each -> lanes.add(each.lane()))
                .limit(MOST_BEYOND)
                .forEach(beyond::add);
        choices.stream().limit(MOST_BEYOND).forEach(beyond::add);
        return List.copyOf(beyond);
    }

    /**
     * Notes the outcomes of the calls that have ended, first of those that got something through: they show whether the
     * publisher is available. If this breaks off, the calls still hold their timers, and the next turn repeats it.
     *
     * @param unknown called with the timers of which nothing is known, if there are some: their delivery has ended
     * @param dueAgain called with these and those of which only the error was written: they are due again
     * @throws dev.duetime.StoreException if the store failed in one of the calls; everything is noted then
     */
    void noteEnded(Consumer<List<StoredTimer>> unknown, Consumer<List<StoredTimer>> dueAgain) {
        List<StoredTimer> withoutOutcome = new ArrayList<>();
        List<StoredTimer> again = new ArrayList<>();
        List<CallThread.Ended> all = new ArrayList<>(calls.endedCalls());
        if (!all.isEmpty()) {
            presence.beginTurn();
            all.sort(Comparator.comparing(each -> each.result().isOutage()));
        }
        for (CallThread.Ended each : all) {
            Result result = each.result();
            admission.callEnded(each.batch());
            note(each);
            for (Parcel parcel : each.batch()) {
                StoredTimer timer = parcel.timer();
                boolean isOpen = !result.hasOutcome(parcel);
                if (isOpen && !outcomes.isDone(timer)) {
                    withoutOutcome.add(timer);
                }
                if (isOpen && !outcomes.isPutOff(timer)) {
                    again.add(timer);
                }
            }
        }
        if (!withoutOutcome.isEmpty()) {
            unknown.accept(withoutOutcome);
        }
        if (!again.isEmpty()) {
            dueAgain.accept(again);
        }
        calls.free(all);
        all.forEach(each -> each.result().rethrowBroken());
    }

    private void note(CallThread.Ended ended) {
        Result result = ended.result();
        calls.noteDurations(result.made);
        if (result.isBroken()) {
            result.forgetUncertain();
            outcomes.note(ended.batch(), result);
            return;
        }
        presence.noteSuspects(result);
        if (ended.job() instanceof CallJob.OfBatch job) {
            noteBatch(ended, job);
        } else if (ended.job() instanceof CallJob.OfLanes job) {
            backOff(outcomes.noteApart(ended.batch(), result, job.isThere(), job.isAlone()));
        }
    }

    private void noteBatch(CallThread.Ended ended, CallJob.OfBatch job) {
        Result result = ended.result();
        boolean isOutage = result.isOutage();
        if (isOutage && !job.isCareful()) {
            careful |= noteFailed(ended);
            failedNanos = parts.clock().nanoTime();
            result.forgetUncertain();
            outcomes.note(ended.batch(), result);
        } else {
            careful = isOutage || (careful && ended.beganNanos() - failedNanos < 0);
            failedNanos = isOutage ? parts.clock().nanoTime() : failedNanos;
            backOff(outcomes.note(ended.batch(), List.of(), result));
        }
        if (isOutage && job.isCareful()) {
            admission.doubtIfAlone(job.batch(), outcomes.doubted());
        }
    }

    /** Notes a call that got nothing through. Returns whether the loop must make one call at a time next. */
    private boolean noteFailed(CallThread.Ended ended) {
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
        } else if (presence.wasAwaySince(ended.beganNanos())) {
            // It may have failed because of that outage: it is tried again.
            return false;
        } else if (presence.isThere() && (lane.isRetry() || failing.isFailing(lane))) {
            noteOwn(batch, result);
        } else if (presence.isThere() && !presence.isInDoubtSince(ended.beganNanos())) {
            presence.doubt(result);
        } else {
            backOff(outcomes.backOff(batch, result, false));
        }
        return false;
    }

    /** Notes a failure that is the timer's own, because others get through. */
    private void noteOwn(List<Parcel> batch, Result result) {
        Throwable error = result.error;
        if (error != null) {
            batch.forEach(each -> result.failed.put(each.id(), error));
            outcomes.note(batch, result);
            outcomes.noteTried(batch, result);
        }
    }

    private void backOff(Instant until) {
        backOffUntil = Times.later(backOffUntil, until);
    }
}

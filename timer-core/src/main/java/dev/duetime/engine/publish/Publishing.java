package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.Publisher;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.LaneRecall;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.PutOffTimers;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.Sorted;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.UserCode;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The order in which open timers are published. First come, in batches, the timers that are expected to get through.
 * Then come timers that have failed before, or whose tenant and type fail: apart from the others, and within a share of
 * the time. So each tenant and type bears the cost of its own poison. Used by one thread.
 */
final class Publishing {
    private final LoopParts parts;
    private final Clock clock;
    private final CrashAttempts crashAttempts;
    private final Outage outage;
    private final PublishRights rights;
    private final FailingLanes failing = new FailingLanes();
    private final ParcelSorter sorter;
    private final PublisherPresence presence;
    private final PublishOutcomes outcomes;
    private final KeyOrder order;
    private final SuspectedLanes suspected = new SuspectedLanes();
    private final ConcurrentCalls calls;
    private final SlowTimers slow;
    private final Admission admission;
    private final LoopCalls own;
    private final BesideCalls beside;

    /** Returns the shards of the timers being published that the node still owns. */
    private Supplier<Set<Integer>> stillOwned = Set::of;

    /** Returns the timers before which no earlier one of their parallel key may have been left out. */
    private UnaryOperator<List<StoredTimer>> inOrder = timers -> timers;

    /** Shards that another node had, which may have tried timers that this one has put off. */
    private final Set<Integer> cameFromOthers = ConcurrentHashMap.newKeySet();

    private boolean hasBegunOne;

    /** Whether a timer of the last turn has one attempt left and may have killed a node, so that it is tried alone. */
    private boolean hasLastAttempt;

    /**
     * Creates the order of a queue.
     *
     * @param closing returns whether the node is being closed
     */
    Publishing(
            LoopParts parts,
            Settlements settlements,
            Settler settler,
            CrashAttempts crashAttempts,
            Outage outage,
            BooleanSupplier closing) {
        this.parts = parts;
        this.clock = parts.clock();
        this.crashAttempts = crashAttempts;
        this.outage = outage;
        rights = new PublishRights(parts, closing);
        Publisher publisher = Objects.requireNonNull(parts.queue().publisher(), "publisher");
        presence = new PublisherPresence(clock, outage, failing, suspected);
        outcomes = new PublishOutcomes(settlements, settler, crashAttempts, presence, failing, clock);
        order = new KeyOrder(parts.queue().limits().parallelKey(), outcomes::isTried);
        PublishCall call = new PublishCall(
                publisher,
                parts.queue().retries()::speaksForItself,
                order,
                () -> rights.now(stillOwned),
                crashAttempts,
                parts.permits()::begun,
                new UserCode(closing, clock::now),
                clock);
        ApartDelivery apartDelivery = new ApartDelivery(
                clock, failing, suspected, parts.node().random(), parts.queue().batchSize());
        sorter = new ParcelSorter(
                failing,
                outcomes.putOff(),
                outcomes.doubted(),
                order,
                parts.node().codec(),
                outcomes::putOff);
        calls = new ConcurrentCalls(parts.clock(), parts.queue(), call, order, failing);
        slow = new SlowTimers(clock, calls.slow(), failing, suspected, order, outcomes);
        admission =
                new Admission(parts.permits(), suspected, order, parts.node().random(), calls.slow());
        own = new LoopCalls(
                parts,
                call,
                new PoisonSearch(call, clock, parts.node().random(), suspected, false),
                apartDelivery,
                calls,
                presence,
                outcomes,
                admission,
                crashAttempts,
                rights);
        beside = new BesideCalls(parts, order, calls, failing, suspected, presence, outcomes, admission, apartDelivery);
    }

    /** Sets which timers need not wait for an earlier one of their parallel key. */
    void keepsOrder(UnaryOperator<List<StoredTimer>> which) {
        inOrder = which;
    }

    /**
     * Notes a read, after it was sorted.
     *
     * @param asked what was asked for
     */
    void hasRead(DueTimers read, Sorted sorted, DueQuery asked) {
        PutOffTimers putOff = outcomes.putOff();
        sorted.settlements().forEach(each -> {
            putOff.forget(each.key());
            outcomes.recall().forget(each.key());
        });
        if (!putOff.isEmpty()) {
            Set<TimerKey> shown = new HashSet<>(asked.held().keySet());
            read.timers().forEach(each -> shown.add(each.key()));
            putOff.forgetUnlessShown(shown, asked.from(), upTo(read, asked), asked.but());
        }
    }

    /** Returns the time up to which a read has shown all. */
    private static Instant upTo(DueTimers read, DueQuery asked) {
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        return read.more() ? Objects.requireNonNullElse(last, Instant.MIN) : asked.now();
    }

    /** Takes the request for a read from the oldest timer on, which tells whether one that others wait for is gone. */
    boolean takeReadOfAll() {
        return outcomes.putOff().takeSeemsGone();
    }

    /** Takes the outcomes that let timers come at once, because the lanes work again for which they were put off. */
    List<Settlement> takeCalledBack(Set<Integer> owned) {
        LaneRecall recall = outcomes.recall();
        // They are noted before the node owns them.
        Set<Integer> ofOthers = Set.copyOf(cameFromOthers);
        if (!ofOthers.isEmpty()) {
            cameFromOthers.removeAll(ofOthers);
            recall.forget(ofOthers);
        }
        return recall.hasCalledBack() ? recall.take(owned, clock.now()) : List.of();
    }

    /** Returns whether timers are to come at once that were put off. */
    boolean hasCalledBack() {
        return outcomes.recall().hasCalledBack();
    }

    /** Notes that another node had these shards. Called by any thread. */
    void cameFromOthers(Set<Integer> shards) {
        cameFromOthers.addAll(shards);
    }

    /** Returns the calls that the loop makes itself. */
    LoopCalls own() {
        return own;
    }

    /** Returns the calls that run beside the loop. */
    ConcurrentCalls calls() {
        return calls;
    }

    /** Returns whether a call may begin. One that must be made alone waits for those that run, but not for long. */
    boolean hasRoom() {
        return !roomFrom().isAfter(clock.now());
    }

    /** Returns from when on a call may begin; {@link Instant#MAX} if only the end of another call makes room for it. */
    Instant roomFrom() {
        if (calls.free() == 0 || (isCalm() && !calls.hasMemory())) {
            return Instant.MAX;
        }
        return isCalm() ? Instant.MIN : calls.notAwaitedFrom();
    }

    /** Returns whether several calls may run at once: none has failed, and no timer must be tried alone. */
    private boolean isCalm() {
        return calls.isConcurrent() && !beside.isCareful() && !hasLastAttempt;
    }

    /** Returns whether a call of the publisher may begin. */
    boolean mayBegin() {
        return rights.mayBegin();
    }

    /** Returns whether the last turn has begun a call that others wait for, since the publisher may be away. */
    boolean hasBegunOne() {
        return hasBegunOne;
    }

    /** Returns whether some of the last published timers were not delivered. */
    boolean hasFailed() {
        return outcomes.hasFailed();
    }

    /**
     * Publishes the open timers. Those that were not tried stay in {@code open}.
     *
     * @return until when to back off; {@link Instant#MIN} if there is no outage
     * @throws InterruptedException if the loop is being closed; what is known by then must still be settled
     */
    Instant publish(List<StoredTimer> open, Instant now, Claim claim) throws InterruptedException {
        stillOwned = claim::stillOwned;
        outcomes.begin();
        presence.beginTurn();
        calls.keys().beginTurn();
        admission.begin();
        hasBegunOne = false;
        own.beginTurn();
        beside.beginTurn(() -> rights.now(claim::stillOwned));
        Instant backOff = beside.takeBackOff();
        if (backOff.isAfter(now)) {
            return backOff;
        }
        hasLastAttempt = !crashAttempts.isIdle() && open.stream().anyMatch(crashAttempts::isLast);
        boolean inLoop = !calls.isConcurrent() || hasLastAttempt;
        boolean calm = isCalm();
        if (!calm && !hasRoom()) {
            return Instant.MIN;
        }
        // Timers that must wait for an earlier one take no turn of their tenant.
        List<StoredTimer> ready = new ArrayList<>(inOrder.apply(open));
        // Not during an outage: then single timers are tried, and the order must not bring poison to both ends.
        admission.sort(ready, outage.failures() == 0 ? parts.queue().batchSize() : ready.size());
        List<Parcel> fresh = new ArrayList<>(ready.size());
        List<Parcel> apart = new ArrayList<>();
        sorter.sort(ready, calls.timers(), now, fresh, apart);
        try {
            if (calm) {
                slow.joinRetries(admission.isLimited() ? ready : List.of(), fresh, apart);
            } else {
                calls.keys().removeFrom(fresh);
                calls.keys().removeFrom(apart);
                tryAlone(fresh, apart);
                // The call that has just begun may hold one of these keys, too.
                calls.keys().removeFrom(fresh);
                calls.keys().removeFrom(apart);
            }
            long nanos = clock.nanoTime();
            Predicate<Parcel> mayTry = each -> failing.mayTry(each.lane(), nanos);
            boolean onlyApart = outage.failures() > 0 && admission.sortForOutage(fresh, apart, mayTry);
            if (inLoop || (calm && beside.hasRoomForApart())) {
                admission.keepForApart(apart, mayTry);
            }
            boolean isAlone = open.size() == 1;
            if (inLoop) {
                return own.publish(fresh, apart, !onlyApart, isAlone);
            }
            if (calm) {
                beside.beginAll(fresh, apart, isAlone);
            } else if (calls.free() > 0) {
                hasBegunOne = beside.beginOne(onlyApart ? List.of() : fresh, apart, isAlone, crashAttempts.isIdle());
            }
            return Instant.MIN;
        } finally {
            order.clear();
            admission.end();
            open.removeIf(outcomes::isDone);
            outcomes.end();
        }
    }

    /** Begins a call with a timer of a slow lane, but leaves one call to others if there are some. */
    private void tryAlone(List<Parcel> fresh, List<Parcel> apart) {
        Parcel parcel = crashAttempts.isIdle() ? slow.takeAlone(fresh, apart) : null;
        if (parcel != null
                && calls.free() > Math.min(fresh.size() + order.inOrder(apart).size(), 1)) {
            beside.beginAlone(parcel);
        }
    }

    /** Returns the types of which timers of the last turn wait for a permit of their type. */
    Set<String> refusedTypes() {
        return admission.refusedTypes();
    }

    /** Returns whether timers of the last turn wait for permits. */
    boolean waitsForPermits() {
        return admission.hasRefused();
    }

    /** Notes the outcomes of the calls beside the loop that have ended. */
    void noteEnded(Consumer<List<StoredTimer>> unknown, Consumer<List<StoredTimer>> dueAgain) {
        beside.noteEnded(unknown, dueAgain);
    }

    /** Makes all calls end some time, and gives back all permits but theirs, after a turn that broke off. */
    void recover() {
        calls.recover();
        order.clear();
        admission.recover(calls::forEach);
    }
}

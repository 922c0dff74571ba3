package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.Publisher;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.PutOffTimers;
import dev.duetime.engine.lanes.SlowShare;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.Sorted;
import dev.duetime.engine.publish.ApartDelivery.LaneTimers;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.UserCode;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The order in which open timers are published. First come, in batches, the timers that are expected to get through.
 * Then come timers that have failed before, or whose tenant and type fail: apart from the others, and within a share of
 * the time. So each tenant and type bears the cost of its own poison. Used by one thread.
 */
final class Publishing {
    /** If the batches of a read took no longer than this, another one is published before they are settled. */
    private static final long QUICK_NANOS = Duration.ofMillis(100).toNanos();

    /** How many timers beyond a careful call's batch it holds: one of them may show that the publisher is there. */
    private static final int MOST_BEYOND = 8;

    private final LoopParts parts;
    private final Clock clock;
    private final CrashAttempts crashAttempts;
    private final Outage outage;
    private final PublishRights rights;
    private final FailingLanes failing = new FailingLanes();
    private final ParcelSorter sorter;
    private final PublishCall call;
    private final PoisonSearch poisonSearch;
    private final ApartDelivery apartDelivery;
    private final PublisherPresence presence;
    private final PublishOutcomes outcomes;
    private final KeyOrder order;
    private final SuspectedLanes suspected = new SuspectedLanes();
    private final ConcurrentCalls calls;
    private final EndedCalls ended;
    private final SlowTimers slow;
    private final Admission admission;

    /** Returns the shards of the timers being published that the node still owns. */
    private Supplier<Set<Integer>> stillOwned = Set::of;

    /** Returns the timers before which no earlier one of their parallel key may have been left out. */
    private UnaryOperator<List<StoredTimer>> inOrder = timers -> timers;

    /** Returns whether timers of other tenants have become due during the turn. */
    private BooleanSupplier othersHaveCome = () -> false;

    private boolean stops;

    /** Whether the last turn ended early for timers of other tenants. */
    private boolean gaveWay;

    private long batchNanos;

    /** Whether a call has failed, so that one call at a time is made until one that began later succeeds. */
    private boolean careful;

    private long failedNanos;

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
        outcomes = new PublishOutcomes(settlements, settler, crashAttempts, presence, clock);
        order = new KeyOrder(parts.queue().limits().parallelKey(), outcomes::isTried);
        call = new PublishCall(
                publisher,
                parts.queue().retries()::speaksForItself,
                order,
                () -> rights.now(stillOwned),
                crashAttempts,
                parts.permits()::begun,
                new UserCode(closing, clock::now),
                clock);
        poisonSearch = new PoisonSearch(call, clock, parts.node().random(), suspected, false);
        apartDelivery = new ApartDelivery(
                clock, failing, suspected, parts.node().random(), parts.queue().batchSize());
        sorter = new ParcelSorter(
                failing,
                outcomes.putOff(),
                outcomes.doubted(),
                order,
                parts.node().codec(),
                outcomes::putOff);
        calls = new ConcurrentCalls(parts.clock(), parts.queue(), call, order, failing);
        ended = new EndedCalls(clock, calls, failing, suspected, presence, outcomes);
        slow = new SlowTimers(clock, calls.slow(), failing, suspected, order, outcomes);
        admission =
                new Admission(parts.permits(), suspected, order, parts.node().random(), calls.slow());
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
        sorted.settlements().forEach(each -> putOff.forget(each.key()));
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

    /** Sets when a turn ends after a batch, so that the next one finds timers of other tenants. */
    void givesWayIf(BooleanSupplier come) {
        othersHaveCome = come;
    }

    /** Returns whether the last turn has left timers only because those of other tenants have become due. */
    boolean gaveWay() {
        return gaveWay;
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
        return calls.isConcurrent() && !careful && outage.failures() == 0 && !hasLastAttempt;
    }

    /** Returns whether a call of the publisher may begin. */
    boolean mayBegin() {
        return rights.mayBegin();
    }

    /** Returns how long each batch of the last turn took on the loop's own thread; 0 if there was none. */
    long batchNanos() {
        return batchNanos;
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
        stops = false;
        gaveWay = false;
        batchNanos = 0;
        Instant backOff = ended.takeBackOff();
        if (backOff.isAfter(now)) {
            return backOff;
        }
        hasLastAttempt = !crashAttempts.isIdle() && open.stream().anyMatch(crashAttempts::isLast);
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
                tryAlone(fresh, apart, claim);
                // The call that has just begun may hold one of these keys, too.
                calls.keys().removeFrom(fresh);
                calls.keys().removeFrom(apart);
            }
            long nanos = clock.nanoTime();
            Predicate<Parcel> mayTry = each -> failing.mayTry(each.lane(), nanos);
            boolean onlyApart = outage.failures() > 0 && admission.sortForOutage(fresh, apart, mayTry);
            admission.keepForApart(apart, mayTry);
            if (calls.isConcurrent() && !hasLastAttempt) {
                if (calm) {
                    beginCalls(fresh, apart, claim);
                    apart.removeIf(each -> outcomes.isDone(each.timer()));
                    beginApart(apart, open.size() == 1, claim);
                } else if (calls.free() > 0) {
                    beginCareful(onlyApart ? List.of() : fresh, apart, open.size() == 1, claim);
                }
                return Instant.MIN;
            }
            int most = onlyApart ? 0 : oneBatch(fresh.size());
            // With limits, the search for poison tries nothing that has no permit.
            List<Parcel> beyond = admission.isLimited() ? List.of() : apart;
            Instant backOffUntil = publishFresh(admission.admit(fresh, most), beyond);
            // The search for a poison envelope may have tried some of them.
            apart.removeIf(each -> outcomes.isDone(each.timer()));
            if (backOffUntil.equals(Instant.MIN) && !stops && !apart.isEmpty() && mayBegin() && calls.free() > 0) {
                admission.endCalls();
                List<Parcel> some = admission.admitApart(apart);
                backOffUntil = some.isEmpty() ? backOffUntil : publishApart(some, open.size() == 1);
            }
            return backOffUntil;
        } finally {
            order.clear();
            admission.end();
            open.removeIf(outcomes::isDone);
            outcomes.end();
        }
    }

    /** Begins a call with a timer of a slow lane, but leaves one call to the loop if it has others to publish. */
    private void tryAlone(List<Parcel> fresh, List<Parcel> apart, Claim claim) {
        Parcel parcel = crashAttempts.isIdle() ? slow.takeAlone(fresh, apart) : null;
        if (parcel != null
                && calls.free() > Math.min(fresh.size() + order.inOrder(apart).size(), 1)) {
            List<Parcel> some = admission.admit(List.of(parcel), 1);
            begin(some.stream().map(each -> batch(List.of(each), List.of(), false)).toList(), claim);
        }
    }

    private void inCalls(List<Parcel> begun) {
        admission.inCalls(begun);
        begun.forEach(each -> outcomes.begun(each.timer()));
    }

    /** A permit of a rate is used at once: no batch waits for the end of another one. */
    private int oneBatch(int size) {
        return admission.isLimited() ? Math.min(size, parts.queue().batchSize()) : size;
    }

    /** Returns the types of which timers of the last turn wait for a permit of their type. */
    Set<String> refusedTypes() {
        return admission.refusedTypes();
    }

    /** Returns whether timers of the last turn wait for permits. */
    boolean waitsForPermits() {
        return admission.hasRefused();
    }

    /**
     * Begins calls, which take their timers out of {@code open} and keep them in delivery. A timer that has permits may
     * find no call. Then others get the permits.
     */
    private void beginCalls(List<Parcel> fresh, List<Parcel> apart, Claim claim) {
        int kept = order.inOrder(apart).isEmpty() ? 0 : 1;
        List<Parcel> admitted = admission.admit(fresh, fresh.size());
        Set<Parcel> withoutCall = beginCalls(admitted, kept, claim);
        if (admission.isLimited()) {
            List<Parcel> refused = without(fresh, admitted);
            while (!withoutCall.isEmpty() && !refused.isEmpty() && calls.free() > kept) {
                admission.withoutCall(withoutCall);
                admitted = admission.admitRefused(refused);
                withoutCall = beginCalls(admitted, kept, claim);
                refused = without(refused, admitted);
            }
            admission.withoutCall(withoutCall);
        }
        calls.keys().removeFrom(apart);
    }

    private CallJob batch(List<Parcel> batch, List<Parcel> beyond, boolean isCareful) {
        SuspectedLanes known = suspected.copy();
        RandomGenerator random = new SplittableRandom(parts.node().random().nextLong());
        return new CallJob.OfBatch(
                batch,
                beyond,
                isCareful,
                outage.failures() == 0,
                caller -> new PoisonSearch(caller, clock, random, known, true));
    }

    private void begin(List<CallJob> jobs, Claim claim) {
        calls.beginAll(jobs, this::inCalls, () -> rights.now(claim::stillOwned));
    }

    /**
     * Begins a call for each lane whose timers are published apart, as far as there are calls for them. Those of lanes
     * that fail and must wait are put off.
     */
    private void beginApart(List<Parcel> apart, boolean isAlone, Claim claim) {
        if (apart.isEmpty() || stops || !mayBegin()) {
            return;
        }
        List<CallJob.OfLanes> running = calls.apart();
        Set<Lane> busy = running.stream()
                .flatMap(job -> job.lanes().stream())
                .map(LaneTimers::lane)
                .filter(failing::isFailing)
                .collect(Collectors.toSet());
        int left = SlowShare.mostOf(parts.queue().concurrency()) - running.size() - calls.slow().count();
        int room = Math.min(calls.free(), Math.max(left, running.isEmpty() ? 1 : 0));
        admission.endCalls();
        List<Parcel> free =
                apart.stream().filter(each -> !busy.contains(each.lane())).toList();
        List<Parcel> some = room <= 0 ? List.of() : admission.admitApart(free);
        boolean isThere = presence.isThere();
        int begun = 0;
        for (LaneTimers each : apartDelivery.inTurn(some, isThere, true)) {
            // A call that has just begun may hold one of its keys.
            List<Parcel> ready = new ArrayList<>(each.parcels());
            calls.keys().removeFrom(ready);
            if (begun < room && !ready.isEmpty()) {
                LaneTimers lane = withPermits(new LaneTimers(each.lane(), ready, each.nanosEach()));
                begin(List.of(new CallJob.OfLanes(List.of(lane), isThere, isAlone, apartDelivery)), claim);
                begun++;
            }
        }
        putOffResting(apart, busy);
    }

    private void putOffResting(List<Parcel> apart, Set<Lane> busy) {
        long nanos = clock.nanoTime();
        putOff(apart.stream()
                .filter(each -> busy.contains(each.lane()) || !failing.mayTry(each.lane(), nanos))
                .filter(each -> !outcomes.isDone(each.timer()))
                .toList());
    }

    /** A job keeps all its permits until it ends. So that others get some, it has one timer. */
    private LaneTimers withPermits(LaneTimers lane) {
        return admission.isLimited()
                ? new LaneTimers(lane.lane(), lane.parcels().subList(0, 1), lane.nanosEach())
                : lane;
    }

    /** Begins one call while the publisher may be away. */
    private void beginCareful(List<Parcel> fresh, List<Parcel> apart, boolean isAlone, Claim claim) {
        List<Parcel> batch = admission.admit(fresh, Math.min(fresh.size(), parts.queue().batchSize()));
        if (!batch.isEmpty()) {
            List<Parcel> some = batch.subList(0, Math.min(batch.size(), parts.queue().batchSize()));
            begin(List.of(batch(some, beyond(some, fresh, apart), true)), claim);
            return;
        }
        admission.endCalls();
        boolean isThere = presence.isThere();
        List<LaneTimers> lanes =
                apartDelivery.inTurn(admission.admitApart(apart), isThere, outage.failures() == 0);
        if (lanes.isEmpty()) {
            putOffResting(apart, Set.of());
        } else {
            begin(List.of(new CallJob.OfLanes(lanes, isThere, isAlone, apartDelivery)), claim);
        }
    }

    /** Returns timers of other lanes. With limits, the search for poison tries nothing that has no permit. */
    private List<Parcel> beyond(List<Parcel> batch, List<Parcel> fresh, List<Parcel> apart) {
        List<Parcel> beyond = new ArrayList<>();
        if (crashAttempts.isIdle() && !admission.isLimited()) {
            Set<Lane> lanes = new HashSet<>();
            batch.forEach(each -> lanes.add(each.lane()));
            List<Parcel> others = new ArrayList<>(fresh);
            others.addAll(apart);
            others.removeAll(batch);
            suspected.leastFirst(others);
            others.stream()
                    .filter(each -> order.isNext(each) && lanes.add(each.lane()))
                    .limit(MOST_BEYOND)
                    .forEach(beyond::add);
        }
        return beyond;
    }

    /** Begins calls. Returns the timers for which there was no call. */
    private Set<Parcel> beginCalls(List<Parcel> some, int kept, Claim claim) {
        List<Parcel> begun = new ArrayList<>();
        Consumer<List<Parcel>> inCall = batch -> {
            inCalls(batch);
            begun.addAll(batch);
        };
        calls.begin(
                some,
                parts.queue().batchSize(),
                kept,
                inCall,
                each -> batch(each, List.of(), false),
                () -> rights.now(claim::stillOwned));
        return new HashSet<>(without(some, begun));
    }

    private static List<Parcel> without(List<Parcel> all, Collection<Parcel> some) {
        Set<Parcel> left = new HashSet<>(some);
        return all.stream().filter(each -> !left.contains(each)).toList();
    }

    /**
     * Notes the outcomes of the calls that have ended. If a call failed as a whole, one call at a time is made next, so
     * that the poison is found. If this breaks off, the calls still hold their timers, and the next turn repeats it.
     *
     * @param dueAgain called with the timers of which nothing is known, if there are some: they are due again
     */
    void noteEnded(Consumer<List<StoredTimer>> dueAgain) {
        List<StoredTimer> unknown = new ArrayList<>();
        List<CallThread.Ended> all = ended.all();
        for (CallThread.Ended each : all) {
            Result result = each.result();
            admission.callEnded(each.batch());
            ended.noteDurations(result);
            ended.noteSuspects(result);
            if (each.job() instanceof CallJob.OfBatch job) {
                noteEnded(each, job, result);
            } else if (each.job() instanceof CallJob.OfLanes job) {
                putOff(ended.noteApart(each.batch(), result, job.isThere(), job.isAlone()));
            }
            each.batch().stream()
                    .filter(parcel -> !result.hasOutcome(parcel) && !outcomes.isDone(parcel.timer()))
                    .forEach(parcel -> unknown.add(parcel.timer()));
        }
        if (!unknown.isEmpty()) {
            dueAgain.accept(unknown);
        }
        calls.free(all);
    }

    private void noteEnded(CallThread.Ended each, CallJob.OfBatch job, Result result) {
        boolean isOutage = result.isOutage();
        if (isOutage && !job.isCareful()) {
            careful |= ended.noteFailed(each);
            failedNanos = clock.nanoTime();
            result.forgetUncertain();
            outcomes.note(each.batch(), result);
        } else {
            careful = isOutage || (careful && each.beganNanos() - failedNanos < 0);
            failedNanos = isOutage ? clock.nanoTime() : failedNanos;
            ended.backOff(outcomes.note(each.batch(), List.of(), result));
        }
        if (isOutage && admission.isLimited() && job.batch().size() == 1) {
            outcomes.doubted().add(job.batch().get(0).timer());
            suspected.failed(job.batch().get(0).lane().ofRetries());
        }
    }

    /** Makes all calls end some time, and gives back all permits but theirs, after a turn that broke off. */
    void recover() {
        calls.recover();
        order.clear();
        admission.recover(calls::forEach);
    }

    /** Publishes batch by batch, as long as each is quick and succeeds. */
    private Instant publishFresh(List<Parcel> fresh, List<Parcel> apart) throws InterruptedException {
        long began = clock.nanoTime();
        int from = 0;
        int batches = 0;
        boolean onwards = !fresh.isEmpty();
        Instant backOffUntil = Instant.MIN;
        while (onwards) {
            batches++;
            int most = Math.min(fresh.size() - from, parts.queue().batchSize());
            int to = from + call.together(fresh.subList(from, fresh.size()), most);
            List<Parcel> batch = fresh.subList(from, to);
            List<Parcel> beyond = new ArrayList<>();
            if (crashAttempts.isIdle()) {
                // Otherwise a timer beyond the batch that is tried would spend an attempt, too.
                beyond.addAll(fresh.subList(to, fresh.size()));
                beyond.addAll(apart);
            }
            Result result = new Result();
            try {
                poisonSearch.publish(batch, beyond, outage.failures() == 0, result);
            } finally {
                backOffUntil = outcomes.note(batch, beyond, result);
                ended.noteDurations(result);
            }
            if (admission.isLimited() && batch.size() == 1 && result.isOutage()) {
                outcomes.doubted().add(batch.get(0).timer());
                suspected.failed(batch.get(0).lane().ofRetries());
            }
            stops = result.stops;
            careful = result.error != null;
            failedNanos = careful ? clock.nanoTime() : failedNanos;
            from = to;
            onwards = result.error == null
                    && from < fresh.size()
                    && !result.stops
                    && clock.nanoTime() - began < QUICK_NANOS
                    && mayBegin();
            gaveWay = onwards && othersHaveCome.getAsBoolean();
            onwards &= !gaveWay;
        }
        batchNanos = batches == 0 ? 0 : (clock.nanoTime() - began) / batches;
        return backOffUntil;
    }

    private Instant publishApart(List<Parcel> apart, boolean isAlone) throws InterruptedException {
        Result result = new Result();
        boolean isThere = presence.isThere();
        List<Parcel> left;
        try {
            apartDelivery.publish(
                    apartDelivery.inTurn(apart, isThere, outage.failures() == 0), isThere, call, result);
        } finally {
            ended.noteSuspects(result);
            left = ended.noteApart(apart, result, isThere, isAlone);
            ended.noteDurations(result);
        }
        putOff(left);
        return ended.takeBackOff();
    }

    private void putOff(List<Parcel> parcels) {
        Instant now = clock.now();
        long nanos = clock.nanoTime();
        for (Parcel each : parcels) {
            if (failing.isFailing(each.lane())) {
                outcomes.putOff(each, failing, now, nanos);
            }
        }
    }
}

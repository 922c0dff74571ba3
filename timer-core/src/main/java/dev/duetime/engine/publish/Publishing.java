package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.Publisher;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.loop.DeliveryOrder;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.publish.Parcel.Lane;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.UserCode;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The order in which open timers are published. First come, in batches, the timers that are expected to get through.
 * Then come timers that have failed before, or whose tenant and type fail: apart from the others, and within a share of
 * the time. So each tenant and type bears the cost of its own poison. Used by one thread.
 */
final class Publishing {
    /** If the batches of a read took no longer than this, another one is published before they are settled. */
    private static final long QUICK_NANOS = Duration.ofMillis(100).toNanos();

    /** If something got through less than this ago, a timer that fails again is no sign of an outage. */
    private static final long RECENT_NANOS = Duration.ofSeconds(10).toNanos();

    private final LoopParts parts;
    private final Clock clock;
    private final Settlements outcomes;
    private final Settler settler;
    private final CrashAttempts lostAttempts;
    private final Outage outage;
    private final BooleanSupplier closing;
    private final FailingLanes failing = new FailingLanes();
    private final ParcelSorter sorter;
    private final PublishCall call;
    private final PoisonSearch delivery;
    private final ApartDelivery apartDelivery;

    /** The settled part of what is being published. */
    private final Set<TimerKey> done = new HashSet<>();

    /**
     * The cost of tries during an outage. If other lanes get through now, there was no outage, and the lanes bear the
     * cost.
     */
    private final Map<Lane, Long> suspected = new HashMap<>();

    /** Returns the shards of the timers being published that the node still owns. */
    private Supplier<Set<Integer>> stillOwned = Set::of;

    private boolean failed;
    private boolean somethingGotThrough;
    private boolean stops;
    private boolean isPublisherKnown;
    private long gotThroughNanos;

    /**
     * Creates the order of a queue.
     *
     * @param closing returns whether the node is being closed
     */
    Publishing(
            LoopParts parts,
            Settlements outcomes,
            Settler settler,
            CrashAttempts lostAttempts,
            Outage outage,
            BooleanSupplier closing) {
        this.parts = parts;
        this.clock = parts.clock();
        this.outcomes = outcomes;
        this.settler = settler;
        this.lostAttempts = lostAttempts;
        this.outage = outage;
        this.closing = closing;
        sorter = new ParcelSorter(
                failing, parts.node().codec(), (timer, until) -> settle(timer, outcomes.putOff(timer, until)));
        Publisher publisher = Objects.requireNonNull(parts.queue().publisher(), "publisher");
        call = new PublishCall(
                publisher,
                parts.queue().retries()::speaksForItself,
                this::mayBePublished,
                lostAttempts,
                new UserCode(closing),
                clock);
        delivery = new PoisonSearch(call, clock, parts.node().random());
        apartDelivery = new ApartDelivery(
                call, failing, clock, parts.node().random(), parts.queue().batchSize());
    }

    /** Returns whether a call of the publisher may begin. It may not after a pause or a close has begun. */
    boolean mayBegin() {
        return !closing.getAsBoolean() && !parts.pause().isPaused();
    }

    /** Returns whether some of the last published timers were not delivered. */
    boolean hasFailed() {
        return failed;
    }

    /**
     * Publishes the open timers. Those that were not tried stay in {@code open}.
     *
     * @return until when to back off; {@link Instant#MIN} if there is no outage
     * @throws InterruptedException if the loop is being closed; what is known by then must still be settled
     */
    Instant publish(List<StoredTimer> open, Instant now, Claim claim) throws InterruptedException {
        stillOwned = claim::stillOwned;
        failed = false;
        somethingGotThrough = false;
        stops = false;
        done.clear();
        open.sort(DeliveryOrder.BY_PRIORITY);
        List<Parcel> fresh = new ArrayList<>(open.size());
        List<Parcel> apart = new ArrayList<>();
        sorter.sort(open, now, fresh, apart);
        try {
            Instant backOffUntil = publishFresh(fresh, apart);
            // The search for a poison envelope may have tried some of them.
            apart.removeIf(each -> done.contains(each.timer().key()));
            if (backOffUntil.equals(Instant.MIN) && !stops && !apart.isEmpty() && mayBegin()) {
                backOffUntil = publishApart(apart, open.size() == 1);
            }
            return backOffUntil;
        } finally {
            open.removeIf(each -> done.contains(each.key()));
            done.clear();
        }
    }

    /** Publishes batch by batch, as long as each is quick and succeeds. */
    private Instant publishFresh(List<Parcel> fresh, List<Parcel> apart) throws InterruptedException {
        long began = clock.nanoTime();
        int from = 0;
        boolean onwards = !fresh.isEmpty();
        Instant backOffUntil = Instant.MIN;
        while (onwards) {
            int most = Math.min(fresh.size() - from, parts.queue().batchSize());
            int to = from + call.together(fresh.subList(from, fresh.size()), most);
            List<Parcel> batch = fresh.subList(from, to);
            List<Parcel> beyond = new ArrayList<>();
            if (lostAttempts.isIdle()) {
                // Otherwise a timer beyond the batch that is tried would spend an attempt, too.
                beyond.addAll(fresh.subList(to, fresh.size()));
                beyond.addAll(apart);
            }
            Result result = new Result();
            try {
                delivery.publish(batch, beyond, outage.failures() == 0, result);
            } finally {
                backOffUntil = note(batch, beyond, result);
            }
            stops = result.stops;
            from = to;
            onwards = result.error == null
                    && from < fresh.size()
                    && !result.stops
                    && clock.nanoTime() - began < QUICK_NANOS
                    && mayBegin();
        }
        return backOffUntil;
    }

    private Instant publishApart(List<Parcel> apart, boolean isAlone) throws InterruptedException {
        Result result = new Result();
        boolean isThere = somethingGotThrough
                || (isPublisherKnown && clock.nanoTime() - gotThroughNanos < RECENT_NANOS && outage.failures() == 0);
        try {
            apartDelivery.publish(apart, isThere, outage.failures() == 0, result);
        } finally {
            if (!isThere) {
                result.forgetUncertain();
            }
            noteOutcomes(apart, result);
        }
        if (!isThere && isOutage(result)) {
            return backOff(apart, result, isAlone);
        }
        noteThatItIsThere(result);
        Instant now = clock.now();
        long nowNanos = clock.nanoTime();
        failing.note(apart, result, nowNanos);
        for (Parcel each : result.open(apart)) {
            if (!failing.mayTry(each.lane(), nowNanos) || result.givenUp.contains(each.lane())) {
                putOff(each, now, nowNanos);
            }
        }
        return Instant.MIN;
    }

    private void putOff(Parcel parcel, Instant now, long nowNanos) {
        if (failing.isFailing(parcel.lane())) {
            settle(parcel.timer(), outcomes.putOff(parcel.timer(), now.plus(failing.waitOf(parcel, now, nowNanos))));
        }
    }

    /**
     * Notes the results of a batch, and of the timers beyond it that were tried if it failed. Returns until when to
     * back off.
     */
    private Instant note(List<Parcel> batch, List<Parcel> beyond, Result result) {
        result.forgetUncertain();
        List<Parcel> tried = new ArrayList<>(batch);
        if (result.error != null) {
            tried.addAll(beyond);
        }
        noteOutcomes(tried, result);
        if (isOutage(result)) {
            return backOff(batch, result, batch.size() + beyond.size() == 1);
        }
        noteThatItIsThere(result);
        failing.note(tried, result, clock.nanoTime());
        return Instant.MIN;
    }

    private void noteOutcomes(List<Parcel> tried, Result result) {
        Instant now = clock.now();
        for (Parcel each : tried) {
            StoredTimer timer = each.timer();
            Throwable failure = result.failed.get(each.id());
            if (result.delivered.contains(each.id())) {
                settle(timer, outcomes.delivered(timer, each.envelope(), now));
            } else if (failure != null) {
                settle(timer, outcomes.failed(timer, each.envelope(), failure, now));
            }
        }
        somethingGotThrough |= !result.delivered.isEmpty();
        failed |= result.error != null || !result.failed.isEmpty();
    }

    private boolean isOutage(Result result) {
        return result.isOutage() && !somethingGotThrough;
    }

    /** A publisher that names an envelope is available. An error that is the envelope's own does not show that. */
    private void noteThatItIsThere(Result result) {
        boolean gotThrough = !result.delivered.isEmpty();
        if (gotThrough) {
            isPublisherKnown = true;
            gotThroughNanos = clock.nanoTime();
            suspected.forEach((lane, spent) -> failing.blame(lane, spent, gotThroughNanos));
            suspected.clear();
        }
        if (gotThrough || (result.error == null && !result.certain.isEmpty())) {
            outage.over(clock.now());
        }
    }

    private Instant backOff(List<Parcel> tried, Result result, boolean isAlone) {
        List<Parcel> open = result.open(tried);
        Throwable error = result.error;
        if (open.isEmpty() || error == null) {
            return Instant.MIN;
        }
        Instant now = clock.now();
        suspected.clear();
        suspected.putAll(result.spentNanos);
        if (isAlone) {
            StoredTimer timer = open.get(0).timer();
            Settlement shown = outcomes.shown(timer, error, now);
            if (shown != null) {
                settle(timer, shown);
            }
        }
        return outage.failed(error, now);
    }

    private void settle(StoredTimer timer, Settlement outcome) {
        lostAttempts.over(timer);
        settler.add(outcome);
        done.add(timer.key());
    }

    private Predicate<Parcel> mayBePublished() {
        if (!mayBegin()) {
            return each -> false;
        }
        Instant now = clock.now();
        Set<Integer> owned = stillOwned.get();
        return each ->
                !each.timer().isExpired(now) && owned.contains(each.timer().shard());
    }
}

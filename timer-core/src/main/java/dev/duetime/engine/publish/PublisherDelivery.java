package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.loop.Delivered;
import dev.duetime.engine.loop.DeliveryLife;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.QueueDelivery;
import dev.duetime.engine.loop.ReadPlan;
import dev.duetime.engine.loop.Sorted;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CountingTime;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.Generations;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.MissedOccurrences;
import dev.duetime.engine.settle.NextOccurrence;
import dev.duetime.engine.settle.OutcomeWriter;
import dev.duetime.engine.settle.SettledWhileReading;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.settle.SkipTargets;
import dev.duetime.engine.settle.UnknownTypes;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Times;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The delivery to a publisher. It writes the settlements of timers that are over, publishes the others and settles
 * them. If the greater part of a read is over, only timers of tenants are published of which most are not over. So a
 * backlog of expired timers does not wait for the publisher, and other tenants do not wait for the backlog.
 *
 * <p>In a backlog one batch is settled while the next one is read. That one is published after the settlement, so that
 * a node that vanishes repeats no more than one read. Used by the loop's thread, except for the methods of {@link
 * DeliveryLife}.
 */
public final class PublisherDelivery implements QueueDelivery, DeliveryLife {
    /** How long the loop leaves alone rows that are being cancelled. */
    private static final Duration WHILE_CANCELLING = Duration.ofMillis(10);

    /** For how long a turn ends rows that cannot be read, and one batch more. Timers wait meanwhile. */
    private static final long UNREADABLE_NANOS = Duration.ofMillis(10).toNanos();

    /** More timers are called back by one statement, although it waits for held rows. */
    private static final int MOST_APART = 50;

    private final LoopParts parts;
    private final NodeSettings node;
    private final ScheduleStore store;
    private final Clock clock;
    private final InFlight inFlight;
    private final OutcomeWriter writer;
    private final CrashAttempts crashAttempts;
    private final UnreadableRows unreadable;
    private final SkipTargets skipTargets = new SkipTargets();
    private final DueSorter sorter;
    private final Settler settler;
    private final ExpiredBacklog expiredBacklog;
    private final Outage outage;
    private final Publishing publishing;
    private final ConcurrentCalls calls;
    private final SettledWhileReading whileReading;
    private final PublisherReadPlan plan;
    private final ReadAgain readAgain;

    private long sortBeganNanos;

    /** Until when the last call asked to back off. */
    private Instant publisherAwayUntil = Instant.MIN;

    private volatile boolean closing;

    /** The shards of timers that were read and are not yet settled. Written by the loop's thread. */
    private volatile Set<Integer> unsettledShards = Set.of();

    public PublisherDelivery(LoopParts parts) {
        this.parts = parts;
        node = parts.node();
        store = parts.store();
        clock = parts.clock();
        inFlight = parts.inFlight();
        QueueSettings queue = parts.queue();
        Listeners listeners = node.listeners();
        writer = new OutcomeWriter(store, clock);
        // An attempt that cannot be written now is counted in memory, and written with the outcome.
        crashAttempts = new CrashAttempts(writer::write, queue.retries());
        unreadable = new UnreadableRows(writer, queue.name(), listeners);
        NextOccurrence occurrences = new NextOccurrence(new Generations(node.random()), parts.history());
        UnknownTypes unknownTypes =
                new UnknownTypes(queue.name(), queue.retries().unknownTypesFor());
        Settlements settlements =
                new Settlements(queue, listeners, parts.delivered(), node.random(), occurrences, unknownTypes);
        MissedOccurrences missed =
                new MissedOccurrences(occurrences, settlements, new CountingTime(clock::nanoTime), skipTargets);
        settler = new Settler(writer, inFlight, queue.name(), listeners, clock);
        sorter = new DueSorter(parts, crashAttempts, missed, settlements, settler);
        expiredBacklog = new ExpiredBacklog(queue, store, clock, parts.owner(), listeners, settler.aside());
        outage = new Outage(listeners.availability("publisher of queue " + queue.name()), node.random());
        publishing = new Publishing(parts, settlements, settler, crashAttempts, outage, () -> closing);
        calls = publishing.calls();
        whileReading = new SettledWhileReading(settler, inFlight, clock, node.leaseDuration());
        plan = new PublisherReadPlan(parts, settler, unreadable, crashAttempts, outage, publishing);
        publishing.keepsOrder(plan::inOrder);
        publishing.own().givesWayIf(plan::othersHaveCome);
        readAgain = new ReadAgain(publishing, plan, unreadable, settler.aside(), sorter::leavesUndecided);
    }

    @Override
    public ReadPlan plan() {
        return plan;
    }

    /** Returns the publisher's failures in a row; none if its last call succeeded. Called by any thread. */
    public @Nullable OngoingOutage publisherOutage() {
        return outage.ongoing();
    }

    @Override
    public void settle() {
        if (!settler.isUnderWay()) {
            settleAll();
        }
    }

    @Override
    public void settleAll() {
        if (calls.isConcurrent()) {
            noteEndedCalls();
        }
        settler.flush();
        if (closing) {
            settler.flushAside();
        } else {
            callBack();
        }
        unsettledShards = keptShards();
        calls.settled();
    }

    /** Lets timers come at once that need not wait. One whose row is held or has changed comes at the time it has. */
    private void callBack() {
        Instant at = clock.now();
        List<Settlement> calledBack =
                publishing.takeCalledBack(parts.owner().owned(parts.queue().name()));
        if (!calledBack.isEmpty()) {
            if (calledBack.size() > MOST_APART) {
                writer.write(calledBack);
            } else {
                writer.writeUnlocked(calledBack);
            }
            plan.announce(at);
            calls.readAgain();
        }
    }

    /** Timers of which nothing is known after a call are due again, and perhaps the next occurrences of others. */
    private void noteEndedCalls() {
        publishing.noteEnded(inFlight::end, timers -> {
            plan.readAgain(timers);
            calls.readAgain();
        });
        plan.recurred(calls.takeRecurred());
    }

    /** Between two turns only calls and outcomes own timers, and only calls own permits. */
    @Override
    public void recover() {
        inFlight.keepOnly(keep -> {
            calls.forEach(each -> keep.keep(each.key(), each.generation()));
            settler.keep(keep);
        });
        publishing.recover();
        plan.recover();
    }

    /**
     * A shard is kept for a while if an outcome from it waits for its row: the next owner would repeat that. A node
     * that closes keeps none for it, because nothing would release it later.
     */
    private Set<Integer> keptShards() {
        return closing ? Set.of() : Set.copyOf(settler.aside().keptShards(clock.nanoTime()));
    }

    /** Returns when to retry the settlements that failed. */
    @Override
    public Instant runUpkeep() {
        long nanos = settler.aside().nanosToNextTry(clock.nanoTime());
        Instant aside =
                nanos == Long.MAX_VALUE ? Instant.MAX : Micros.ceil(clock.now().plusNanos(nanos));
        // A call that must be made alone waits for those that run.
        Instant alone = publishing.hasRoom() ? Instant.MAX : publishing.roomFrom();
        return Times.earlier(Times.earlier(aside, plan.tryWaiting()), alone);
    }

    @Override
    public Sorted sort(DueTimers read, Claim claim) {
        sortBeganNanos = clock.nanoTime();
        plan.succeeded();
        // Before the settlement ends: what it has written may be here as it was read.
        List<StoredTimer> others = inFlight.others(plan.others());
        DueTimers fresh = afterSettling(read);
        DueTimers due = sorter.withoutAside(fresh);
        Instant now = clock.now();
        if (plan.wasOfAll()) {
            crashAttempts.read(due, calls.timers());
        }
        List<StoredTimer> counted = sorter.counted(due, isNothing(fresh) ? List.of() : others);
        Set<Integer> shards = counted.stream().map(StoredTimer::shard).collect(Collectors.toCollection(HashSet::new));
        shards.addAll(keptShards());
        unsettledShards = shards;
        claim.release();
        boolean isWhole = due.timers().size() == fresh.timers().size();
        skipTargets.forgetAfter(outage.allFailures());
        Sorted sorted = sorter.sort(read, due, counted, isWhole, claim, now);
        publishing.hasRead(read, sorted, plan.asked());
        plan.refused(counted.size() - sorted.begun());
        return sorted;
    }

    private static boolean isNothing(DueTimers read) {
        return read.timers().isEmpty() && read.undecodable().isEmpty();
    }

    /** Leaves out the timers whose delivery had not ended when the read began. */
    private DueTimers afterSettling(DueTimers read) {
        if (calls.isConcurrent()) {
            return new DueTimers(inFlight.others(read.timers()), read.undecodable(), read.more());
        }
        if (!settler.isUnderWay()) {
            return read;
        }
        DueTimers fresh = whileReading.after(read);
        if (fresh == null || closing) {
            plan.discard();
            return new DueTimers(List.of(), List.of(), true);
        }
        return fresh;
    }

    @Override
    public Delivered deliver(Sorted sorted, Claim claim, Runnable storeAnswers) throws InterruptedException {
        settler.addAll(sorted.settlements());
        boolean clears = sorted.isMostlyOver();
        plan.isMostlyOver(clears);
        List<StoredTimer> open = sorted.open();
        Instant backOffUntil = Instant.MIN;
        boolean all = sorted.complete() && !clears;
        boolean delivered = true;
        boolean hasBegun = false;
        boolean gaveWay = false;
        int found = open.size();
        try {
            hasBegun = endUnreadable(sorted);
            all &= !unreadable.hasLeft();
            if (!sorted.settlements().isEmpty()) {
                settler.flush();
                all &= !sorter.dropLost(open, claim);
            }
            List<StoredTimer> ofBacklog = clears ? sorted.takeMostlyOver() : List.of();
            boolean tries = !open.isEmpty() && publishing.mayBegin() && !(clears && isPublisherAway(sorted.at()));
            try {
                if (tries) {
                    storeAnswers.run();
                    publisherAwayUntil = publishing.publish(open, sorted.at(), claim);
                    // A backlog that is cleared does not wait for the publisher.
                    backOffUntil = clears ? Instant.MIN : publisherAwayUntil;
                    delivered = !publishing.hasFailed();
                    gaveWay = publishing.own().gaveWay();
                }
            } finally {
                open.addAll(ofBacklog);
            }
            hasBegun |= open.size() < found || !sorted.settlements().isEmpty() || sorter.leavesUndecided();
            all &= open.isEmpty() || gaveWay;
            plan.leftOpen(sorted, clears, tries);
        } catch (Throwable e) {
            if (settler.isEmpty()) {
                unsettledShards = keptShards();
            }
            throw e;
        } finally {
            inFlight.end(open);
        }
        // A statement that ends timers unread does not know which of them are in calls.
        if (clears && calls.isIdle()) {
            unsettledShards = claim.shards();
            expiredBacklog.clear(claim.shards());
        }
        boolean onlyRead = sorted.begun() == sorted.due().timers().size();
        settle(sorted.due(), open, all, delivered && onlyRead);
        backOffUntil = plan.backOffUntil(sorted.due(), backOffUntil);
        if (plan.readsForKeys()) {
            return new Delivered(backOffUntil, true, Duration.ZERO);
        }
        Delivered next = next(sorted, backOffUntil, hasBegun);
        boolean readsInVain = next.readsAtOnce() && plan.waitsForKeys() && !hasBegun;
        return readsInVain ? ReadAgain.onceKeysAreKnown(backOffUntil) : next;
    }

    private boolean endUnreadable(Sorted sorted) {
        long began = clock.nanoTime();
        return unreadable.end(
                sorted.due().undecodable(),
                sorted.at(),
                parts.queue().batchSize(),
                () -> clock.nanoTime() - began < UNREADABLE_NANOS);
    }

    private boolean isPublisherAway(Instant now) {
        return now.isBefore(publisherAwayUntil);
    }

    private Delivered next(Sorted sorted, Instant backOffUntil, boolean hasBegun) {
        if (!calls.isIdle()) {
            return readAgain.besideCalls(sorted, backOffUntil, hasBegun);
        }
        if (publishing.waitsForPermits() || parts.permits().blocksSome()) {
            return readAgain.whilePermitsAreMissing(
                    sorted, backOffUntil, hasBegun, parts.permits().isBlocked());
        }
        boolean cancelling = sorted.begun() == 0 && !sorted.due().timers().isEmpty();
        return readAgain.afterAll(sorted.read(), cancelling ? sorted.at().plus(WHILE_CANCELLING) : backOffUntil);
    }

    /**
     * Settles the read. In a backlog this happens in the background while the next part is read.
     *
     * @param left what a turn that gave way has not published
     * @param all whether everything else of the read is settled now
     */
    private void settle(DueTimers due, List<StoredTimer> left, boolean all, boolean mayReadOn) {
        boolean inBackground = all
                && left.isEmpty()
                && mayReadOn
                && !calls.isConcurrent()
                && !publishing.hasCalledBack()
                && SettledWhileReading.isAlongTime(due)
                && store.readsBesideWrites();
        if (!inBackground) {
            settleAll();
        }
        if (publishing.takeReadOfAll()) {
            plan.readAll();
        }
        if (all) {
            plan.settled(due, left, clock.nanoTime() - sortBeganNanos);
        }
        if (inBackground) {
            whileReading.begin(due);
        }
    }

    @Override
    public void takenOver(int shard, Instant leaseEnded) {
        crashAttempts.takenOver(shard, leaseEnded);
    }

    @Override
    public void cameFromOthers(Set<Integer> shards) {
        crashAttempts.forget(shards);
        publishing.cameFromOthers(shards);
        plan.shardsCame();
    }

    @Override
    public Set<Integer> unsettledShards() {
        Set<Integer> shards = new HashSet<>(unsettledShards);
        // In this order: a timer in a call is added there before it is removed here.
        shards.addAll(calls.shards());
        return shards;
    }

    @Override
    public @Nullable Instant oldestCallSince() {
        return calls.since();
    }

    @Override
    public void onCallEnd(Runnable action) {
        calls.onEnd(action);
    }

    @Override
    public void start(Consumer<Instant> loop) {
        calls.wakes(loop);
        parts.permits().onPermits(() -> loop.accept(Instant.MAX));
    }

    @Override
    public void beginClose() {
        closing = true;
    }

    @Override
    public boolean close(Supplier<Duration> left) {
        boolean ended = calls.close(left);
        return settler.close(left.get()) && ended;
    }
}

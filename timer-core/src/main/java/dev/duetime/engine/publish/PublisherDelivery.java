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
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.Generations;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.MissedOccurrences;
import dev.duetime.engine.settle.NextOccurrence;
import dev.duetime.engine.settle.OutcomeWriter;
import dev.duetime.engine.settle.SetAside;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.settle.UnknownTypes;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.Micros;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The delivery to a publisher. It writes the settlements of timers that are over, publishes the others and settles
 * them. If the greater part of a read is over, nothing of it is published. So a backlog of expired timers does not wait
 * for the publisher, and no batch is nearly empty.
 *
 * <p>In a backlog one batch is settled while the next one is read. That one is published after the settlement, so that
 * a node that vanishes repeats no more than one read. Used by the loop's thread, except for the methods of {@link
 * DeliveryLife}.
 */
public final class PublisherDelivery implements QueueDelivery, DeliveryLife {
    /** Timers whose read is older than this are read again. */
    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    /** How long the loop leaves alone rows that are being cancelled. */
    private static final Duration WHILE_CANCELLING = Duration.ofMillis(10);

    /** Timers that stay due are skipped once, however long it takes until the store is asked. */
    private static final Duration UNTIL_ASKED = Duration.ofDays(1);

    private final NodeSettings node;
    private final ScheduleStore store;
    private final Clock clock;
    private final InFlight inFlight;
    private final CrashAttempts crashAttempts;
    private final UnreadableRows unreadable;
    private final DueSorter sorter;
    private final Settler settler;
    private final ExpiredBacklog expiredBacklog;
    private final Outage outage;
    private final Publishing publishing;
    private final PublisherReadPlan plan;

    private long sortBeganNanos;

    /** The latest due time of the timers that are being settled in the background. */
    private Instant settlingTo = Instant.MAX;

    private volatile boolean closing;

    /** The shards of timers that were read and are not yet settled. Written by the loop's thread. */
    private volatile Set<Integer> unsettledShards = Set.of();

    public PublisherDelivery(LoopParts parts) {
        node = parts.node();
        store = parts.store();
        clock = parts.clock();
        inFlight = parts.inFlight();
        QueueSettings queue = parts.queue();
        Listeners listeners = node.listeners();
        OutcomeWriter writer = new OutcomeWriter(store);
        // An attempt that cannot be written now is counted in memory, and written with the outcome.
        crashAttempts = new CrashAttempts(writer::write, queue.retries());
        unreadable = new UnreadableRows(writer, queue.name(), listeners);
        NextOccurrence occurrences = new NextOccurrence(new Generations(node.random()));
        UnknownTypes unknownTypes =
                new UnknownTypes(queue.name(), queue.retries().unknownTypesFor());
        Settlements settlements = new Settlements(queue, listeners, node.random(), occurrences, unknownTypes);
        MissedOccurrences missed = new MissedOccurrences(occurrences, settlements);
        settler = new Settler(writer, inFlight, queue.name(), listeners, clock);
        sorter = new DueSorter(inFlight, crashAttempts, missed, settlements, settler);
        expiredBacklog = new ExpiredBacklog(queue, store, clock, parts.owner(), listeners);
        outage = new Outage(listeners.availability("publisher of queue " + queue.name()), node.random());
        publishing = new Publishing(parts, settlements, settler, crashAttempts, outage, () -> closing);
        plan = new PublisherReadPlan(parts, settler, unreadable, crashAttempts, outage);
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
        settler.flush();
        if (closing) {
            settler.flushAside();
        }
        unsettledShards = keptShards();
    }

    /** A shard is kept for a while if an outcome from it waits for its row: the next owner would repeat that. */
    private Set<Integer> keptShards() {
        return Set.copyOf(settler.aside().keptShards(clock.nanoTime()));
    }

    /** Returns when to retry the settlements that failed. */
    @Override
    public Instant runUpkeep() {
        long nanos = settler.aside().nanosToNextTry(clock.nanoTime());
        return nanos == Long.MAX_VALUE ? Instant.MAX : Micros.ceil(clock.now().plusNanos(nanos));
    }

    @Override
    public Sorted sort(DueTimers read, Claim claim) {
        sortBeganNanos = clock.nanoTime();
        plan.succeeded();
        DueTimers fresh = afterSettling(read);
        DueTimers due = sorter.withoutAside(fresh);
        Instant now = clock.now();
        if (plan.wasFromOldest()) {
            crashAttempts.read(due);
        }
        List<StoredTimer> counted = sorter.counted(due);
        Set<Integer> shards = counted.stream().map(StoredTimer::shard).collect(Collectors.toCollection(HashSet::new));
        shards.addAll(keptShards());
        unsettledShards = shards;
        claim.release();
        boolean isWhole = due.timers().size() == fresh.timers().size();
        Sorted sorted = sorter.sort(read, due, counted, isWhole, claim, now);
        plan.refused(counted.size() - sorted.begun());
        return sorted;
    }

    /**
     * Waits until the previous batch is settled. The current read began before that, so it may show old states of that
     * batch. If the wait was long, it may show old states of other timers, too. Then the read is repeated.
     */
    private DueTimers afterSettling(DueTimers read) {
        if (!settler.isUnderWay()) {
            return read;
        }
        long began = clock.nanoTime();
        List<StoredTimer> timers = read.timers();
        int known = 0;
        while (known < timers.size() && !wakesAfter(timers.get(known), settlingTo)) {
            known++;
        }
        List<StoredTimer> others = new ArrayList<>(inFlight.others(timers.subList(0, known)));
        others.addAll(timers.subList(known, timers.size()));
        settler.flush();
        boolean fresh = clock.nanoTime() - began
                <= Math.min(FRESH_NANOS, node.leaseDuration().toNanos() / 3);
        return fresh && !closing
                ? new DueTimers(others, read.undecodable(), read.more())
                : new DueTimers(List.of(), List.of(), true);
    }

    private static boolean wakesAfter(StoredTimer timer, Instant time) {
        return timer.wakeAt() != null && timer.wakeAt().isAfter(time);
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
        try {
            unreadable.end(sorted.due().undecodable(), sorted.at());
            if (!sorted.settlements().isEmpty()) {
                settler.flush();
                all &= !sorter.dropLost(open, claim);
            }
            if (!clears && !open.isEmpty() && publishing.mayBegin()) {
                storeAnswers.run();
                backOffUntil = publishing.publish(open, sorted.at(), claim);
                delivered = !publishing.hasFailed();
            }
            all &= open.isEmpty();
        } catch (Throwable e) {
            if (settler.isEmpty()) {
                unsettledShards = keptShards();
            }
            throw e;
        } finally {
            inFlight.end(open);
        }
        if (clears) {
            unsettledShards = claim.shards();
            expiredBacklog.clear(claim.shards());
        }
        settle(sorted.due(), all, delivered);
        backOffUntil = plan.backOffUntil(sorted.due(), backOffUntil);
        boolean cancelling = sorted.begun() == 0 && !sorted.due().timers().isEmpty();
        return result(sorted.read(), cancelling ? sorted.at().plus(WHILE_CANCELLING) : backOffUntil);
    }

    /** Settles the read. In a backlog this happens in the background while the next part is read. */
    private void settle(DueTimers due, boolean all, boolean delivered) {
        boolean inBackground = all && delivered && isAlongTime(due) && store.readsBesideWrites();
        if (!inBackground) {
            settleAll();
        }
        if (all) {
            plan.settled(due, clock.nanoTime() - sortBeganNanos);
        }
        if (inBackground) {
            settlingTo = Objects.requireNonNull(
                    due.timers().get(due.timers().size() - 1).wakeAt());
            settler.begin();
        }
    }

    /** Returns whether the next read, which begins at the time of the last timer, is likely to return other timers. */
    private static boolean isAlongTime(DueTimers due) {
        List<StoredTimer> timers = due.timers();
        int size = timers.size();
        return due.more()
                && size > 1
                && !Objects.equals(
                        timers.get(size / 2).wakeAt(), timers.get(size - 1).wakeAt());
    }

    /**
     * If several timers were due at once, others are due by now: reading them takes no longer than asking for the next
     * due time.
     */
    private Delivered result(DueTimers read, Instant backOffUntil) {
        boolean readsAtOnce = read.more() || read.timers().size() > 1;
        SetAside aside = settler.aside();
        boolean onlyStuck = !read.more()
                && unreadable.staying() + aside.size() > 0
                && aside.others(read.timers()).isEmpty();
        return new Delivered(backOffUntil, readsAtOnce, onlyStuck ? UNTIL_ASKED : Duration.ZERO);
    }

    @Override
    public void takenOver(int shard, Instant leaseEnded) {
        crashAttempts.takenOver(shard, leaseEnded);
    }

    @Override
    public void cameFromOthers(Set<Integer> shards) {
        crashAttempts.forget(shards);
    }

    @Override
    public Set<Integer> unsettledShards() {
        return unsettledShards;
    }

    @Override
    public void beginClose() {
        closing = true;
    }

    @Override
    public boolean close(Supplier<Duration> left) {
        return settler.close(left.get());
    }
}

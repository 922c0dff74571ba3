package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.loop.PauseFlag;
import dev.duetime.engine.loop.QueueDelivery;
import dev.duetime.engine.loop.ReadPlan;
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
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.internal.Micros;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Expires or delivers a batch of due timers and settles what became of them. Used by the loop's thread, but for
 * what closes it.
 */
public final class BatchDelivery implements QueueDelivery {
    /** Higher priority first, then the oldest. */
    public static final Comparator<StoredTimer> DELIVERY_ORDER = Comparator.comparingInt(
                    (StoredTimer each) -> each.content().priority())
            .reversed()
            .thenComparing(StoredTimer::dueAt)
            .thenComparing(BatchDelivery::since)
            .thenComparing(StoredTimer::key);

    /** What had to wait for longer since it was read is read again. */
    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    /** How long rows that are just being cancelled are left alone before the next look. */
    private static final Duration WHILE_CANCELLING = Duration.ofMillis(10);

    /** How long to wait before the next look while too much is delivered and cannot be settled. */
    private static final Duration WHILE_FULL = Duration.ofSeconds(1);

    /**
     * In an outage four batches are read: further back there may be something that gets through. While expired timers
     * are cleared as well, since they cost little. Bounds memory.
     */
    private static final int MOST_DOUBLINGS = 2;

    private final NodeSettings node;
    private final QueueSettings queue;
    private final ScheduleStore store;
    private final Clock clock;
    private final ShardOwner owner;
    private final InFlight inFlight = new InFlight();
    private final CrashAttempts lostAttempts;
    private final UnreadableRows unreadable;
    private final MissedOccurrences catchingUp;
    private final Settlements outcomes;
    private final Settler settler;
    private final ExpiredBacklog expiredBacklog;
    private final Outage outage;
    private final PauseFlag pauseFlag;
    private final Publishing publishing;
    private final LookBehind lookBehind = new LookBehind();
    /** Eight batches. */
    private final ReadPlan plan = new ReadPlan(3);

    /** How many batches in a row were for the greater part over. */
    private int clearing;

    /** What was read last. */
    private Set<Integer> claimed = Set.of();

    /** Whether what was read last began with the oldest. */
    private boolean readsFromOldest;

    /** No timer that is being settled beside the loop was due later. */
    private Instant settlingTo = Instant.MAX;

    private volatile boolean closing;

    /** Where the timers come from that may be in delivery; written by the loop's thread. */
    private volatile Set<Integer> shards = Set.of();

    public BatchDelivery(QueueSettings queue, NodeSettings node, ScheduleStore store, Clock clock, ShardOwner owner) {
        Listeners listeners = node.listeners();
        this.node = node;
        this.queue = queue;
        this.store = store;
        this.clock = clock;
        this.owner = owner;
        OutcomeWriter writer = new OutcomeWriter(store);
        // An attempt that cannot be written now is counted in memory, and written with the outcome.
        lostAttempts = new CrashAttempts(writer::write, queue.retries());
        unreadable = new UnreadableRows(writer, queue.name(), listeners);
        pauseFlag = new PauseFlag(queue.name(), listeners);
        NextOccurrence occurrences = new NextOccurrence(new Generations(node.random()));
        UnknownTypes unknownTypes =
                new UnknownTypes(queue.name(), queue.retries().unknownTypesFor());
        outcomes = new Settlements(queue, listeners, node.random(), occurrences, unknownTypes);
        catchingUp = new MissedOccurrences(occurrences, outcomes);
        settler = new Settler(writer, inFlight, queue.name(), listeners, clock);
        expiredBacklog = new ExpiredBacklog(queue, store, clock, owner, listeners);
        outage = new Outage(listeners.availability("publisher of queue " + queue.name()), node.random());
        publishing = new Publishing(
                node, queue, clock, owner, outcomes, settler, lostAttempts, outage, () -> closing, this::mayBegin);
    }

    @Override
    public PauseFlag pauseFlag() {
        return pauseFlag;
    }

    @Override
    public InFlight inFlight() {
        return inFlight;
    }

    @Override
    public @Nullable OngoingOutage publisherOutage() {
        return outage.ongoing();
    }

    @Override
    public CrashAttempts lostAttempts() {
        return lostAttempts;
    }

    @Override
    public Set<Integer> shards() {
        return shards;
    }

    @Override
    public void beginRead() {
        inFlight.beginRead();
    }

    @Override
    public void endRead() {
        inFlight.endRead();
    }

    @Override
    public Set<Integer> claim(Set<Integer> wanted) {
        shards = settler.isUnderWay() ? union(shards, wanted) : wanted;
        Set<Integer> owned = owner.owned(queue.name());
        Set<Integer> claimed = wanted.stream().filter(owned::contains).collect(Collectors.toUnmodifiableSet());
        lostAttempts.beginRead(claimed);
        this.claimed = claimed;
        return claimed;
    }

    @Override
    public void announced(Instant dueAt) {
        plan.announced(dueAt);
    }

    /** Returns what to read of the claimed shards: more than a batch in an outage, and while there is much to do. */
    @Override
    public DueQuery read(Set<Integer> claimed, Instant now) {
        Instant behind = lookBehind.from();
        Instant from = behind != null ? behind : plan.from(claimed, clock.nanoTime());
        if (from.equals(Instant.MIN)) {
            // It would show all that is being settled.
            settler.flush();
        }
        readsFromOldest = from.equals(Instant.MIN);
        int doublings = Math.max(Math.min(Math.max(outage.failures(), clearing), MOST_DOUBLINGS), plan.doublings());
        SetAside aside = settler.aside();
        int limit = plan.limit(queue.batchSize() << doublings) + roundedUp(unreadable.staying() + aside.size());
        return new DueQuery(
                queue.name(), claimed, from, now, limit, DueQuery.Exclusion.NONE, plan.bytes(), aside.generations());
    }

    /** Returns one of few numbers, since a database plans a read of each anew. */
    private static int roundedUp(int count) {
        return count <= 1 ? count : Integer.highestOneBit(2 * count - 1);
    }

    @Override
    public void readFailed() {
        plan.failed();
    }

    /** Only rows that stay due though nobody can do anything with them now are left. */
    @Override
    public boolean passesOver(DueTimers read) {
        SetAside aside = settler.aside();
        return !read.more()
                && unreadable.staying() + aside.size() > 0
                && aside.others(read.timers()).isEmpty();
    }

    /** When to try again to settle what could not be. */
    @Override
    public Instant nextLook() {
        long nanos = settler.aside().nanosToNextTry(clock.nanoTime());
        return nanos == Long.MAX_VALUE ? Instant.MAX : Micros.ceil(clock.now().plusNanos(nanos));
    }

    /** Settles what an earlier batch could not. */
    @Override
    public void settleOpen() {
        settler.flush();
        if (closing) {
            settler.flushAside();
        }
        shards = Set.of();
    }

    @Override
    public boolean isSettling() {
        return settler.isUnderWay();
    }

    @Override
    public void beginClose() {
        closing = true;
    }

    @Override
    public boolean closeWorkers(Supplier<Duration> left) {
        return settler.close(left.get());
    }

    /**
     * Ends what has expired or used up its attempts, or moves it on, which never waits for the publisher, then delivers
     * the others. A read that is over for the greater part only clears, so that neither a backlog of expired timers
     * moves at the publisher's pace nor batches are published that are nearly empty.
     *
     * <p>Where a backlog goes through, what was delivered is settled while more is read; that is published after it is
     * settled, so that no more than what one read gave is delivered again if the node vanishes.
     *
     * @param beforePublishing run before the publisher is called, if it is
     * @return until when to leave the queue alone: {@link Instant#MIN} but in an outage
     */
    @Override
    public Instant deliver(DueTimers read, Runnable beforePublishing) throws InterruptedException {
        plan.succeeded();
        plan.left();
        if (settler.aside().isFull()) {
            settleOpen();
            return clock.now().plus(WHILE_FULL);
        }
        long began = clock.nanoTime();
        DueTimers due = afterSettling(read);
        int waiting = due.timers().size();
        due = withoutAside(due);
        waiting -= due.timers().size();
        Instant now = clock.now();
        unreadable.end(due.undecodable(), now);
        if (readsFromOldest) {
            lostAttempts.read(due);
        }
        List<StoredTimer> counted =
                due.timers().stream().map(lostAttempts::known).toList();
        shards = counted.stream().map(StoredTimer::shard).collect(Collectors.toUnmodifiableSet());
        List<StoredTimer> begun = inFlight.begin(stillOwned(counted));
        List<StoredTimer> open = sort(begun, now);
        int over = begun.size() - open.size();
        dropWaiting(open);
        boolean clear = due.more() && over > open.size();
        clearing = clear ? clearing + 1 : 0;
        boolean all = waiting == 0
                && begun.size() == due.timers().size()
                && !clear
                && begun.stream().noneMatch(BatchDelivery::recurs);
        Instant pausedUntil = Instant.MIN;
        boolean complete = true;
        try {
            if (over > 0) {
                settler.flush();
                all &= !dropLost(open);
            }
            if (!clear && !open.isEmpty() && mayBegin()) {
                beforePublishing.run();
                pausedUntil = publishing.publish(open, now);
                complete = !publishing.hasFailed();
            }
            all &= open.isEmpty();
        } catch (Throwable e) {
            if (settler.isEmpty()) {
                shards = Set.of();
            }
            throw e;
        } finally {
            inFlight.end(open);
        }
        if (clear) {
            shards = claimed;
            expiredBacklog.clear(claimed);
        }
        boolean beside = all && complete && isAlongTime(due) && store.readsBesideWrites();
        if (!beside) {
            settleOpen();
        }
        if (all) {
            plan.done(due, clock.nanoTime() - began);
        }
        if (beside) {
            settlingTo = Objects.requireNonNull(
                    due.timers().get(due.timers().size() - 1).wakeAt());
            settler.begin();
        }
        if (lookBehind.from() != null) {
            plan.readAll();
        }
        pausedUntil = lookBehind.after(due, pausedUntil);
        boolean cancelling = begun.isEmpty() && !due.timers().isEmpty();
        return cancelling ? now.plus(WHILE_CANCELLING) : pausedUntil;
    }

    private DueTimers withoutAside(DueTimers due) {
        List<StoredTimer> others = settler.aside().others(due.timers());
        return others.size() == due.timers().size() ? due : new DueTimers(others, due.undecodable(), due.more());
    }

    /** Adds the outcomes of what is not delivered, since it is over or was missed, and returns the others. */
    private List<StoredTimer> sort(List<StoredTimer> begun, Instant now) {
        List<StoredTimer> open = new ArrayList<>(begun.size());
        boolean sorted = false;
        try {
            catchingUp.begin();
            for (StoredTimer timer : begun) {
                Settlement outcome = catchingUp.instead(timer, now);
                if (outcome == null && timer.isExpired(now)) {
                    outcome = outcomes.expired(timer, now);
                } else if (outcome == null && outcomes.isExhausted(timer)) {
                    outcome = outcomes.exhausted(timer, now);
                }
                if (outcome == null) {
                    open.add(timer);
                } else {
                    settler.add(outcome);
                }
            }
            sorted = true;
            return open;
        } finally {
            if (!sorted) {
                inFlight.end(settler.without(begun));
            }
        }
    }

    /**
     * Waits until what was delivered before is settled; a read that began before that may show timers of it as they
     * were. One that had to wait for long may show others as they were, too, and is made again.
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

    /** Returns whether the next read, which begins with the time of the last one, is likely to show others. */
    private static boolean isAlongTime(DueTimers due) {
        List<StoredTimer> timers = due.timers();
        int size = timers.size();
        return due.more()
                && size > 1
                && !Objects.equals(
                        timers.get(size / 2).wakeAt(), timers.get(size - 1).wakeAt());
    }

    private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
        Set<Integer> all = new HashSet<>(some);
        all.addAll(others);
        return Set.copyOf(all);
    }

    /** Recurring timers of one time go by their keys, whichever of them was scheduled anew last. */
    private static Instant since(StoredTimer timer) {
        return recurs(timer) ? Instant.MIN : timer.registeredAt();
    }

    /** Its next occurrence may be due as well, before what was read last. */
    private static boolean recurs(StoredTimer timer) {
        return timer.content().recurrence() != null;
    }

    private void dropWaiting(List<StoredTimer> valid) {
        inFlight.end(valid.stream().filter(catchingUp::mustWait).toList());
        valid.removeIf(catchingUp::mustWait);
    }

    /** The read may have taken longer than the lease, or the process was paused after it: others deliver these. */
    private List<StoredTimer> stillOwned(List<StoredTimer> read) {
        Set<Integer> owned = owner.owned(queue.name());
        return read.stream().filter(each -> owned.contains(each.shard())).toList();
    }

    /** Settling may have taken longer than the lease as well; returns whether any was lost. */
    private boolean dropLost(List<StoredTimer> open) {
        Set<Integer> owned = owner.owned(queue.name());
        inFlight.end(open.stream().filter(each -> !owned.contains(each.shard())).toList());
        return open.removeIf(each -> !owned.contains(each.shard()));
    }

    /** Returns whether a batch may begin: it may neither after a pause nor after a close has begun. */
    private boolean mayBegin() {
        return !closing && !pauseFlag.isPaused();
    }
}

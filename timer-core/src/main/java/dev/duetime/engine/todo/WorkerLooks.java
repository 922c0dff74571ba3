package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.looks.BacklogLooks;
import dev.duetime.engine.looks.PresentLooks;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.window.LookTimes;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The looks behind a backlog: reads of what is more urgent, and of other tenants. Most of them look at what has become
 * due since the last one, some at a gap that these have passed, some for parallel keys. Others pass over the
 * whole backlog. Some look for the tenant whose turn it is, or behind the backlog of a type that the other reads leave
 * out. If it is time for several, the kind that was made longest ago comes first. Used by the loop's thread.
 */
final class WorkerLooks {
    /** How often, at most, to look behind a backlog, and as often at the present. */
    private static final Duration LOOK = Duration.ofMillis(100);

    /** How many batches a look finds that is to find all there is. */
    private static final int MORE = 4;

    private final Clock clock;
    private final TodoBuffer buffer;
    private final BufferReads reads;
    private final int batchSize;
    private final BacklogLooks backlog = new BacklogLooks();
    private final PresentLooks present;
    private final LookTimes behindTimes;
    private final LookTimes presentTimes;
    private final LookTimes gapTimes;
    private final LookTimes keyTimes;
    private final LookTimes largeKeyTimes;
    private final LookTimes turnTimes;

    /** The kinds of looks; the one that was made longest ago comes first. */
    private final List<LookTimes> order;

    /** The times of the look under way, or of the last one; null if the last read was one of all due todos. */
    private @Nullable LookTimes current;

    private long beganNanos;

    /** Whether the last read looked at a type that other reads leave out. */
    private boolean looksAtType;

    /** Whether the last look behind a backlog was one at a type. Then the next one is not. */
    private boolean wasAtType;

    /** Whether the next read is a look, although the buffer is not full. */
    private boolean isBeside;

    /** Whether the buffer was full when the last read began. */
    private boolean isFull;

    /** Whether a read of all due todos has succeeded since a failure. Before that, looks would fail, too. */
    private boolean isAnswered;

    /** Whether the last read of all due todos has left some in the database. */
    private boolean leavesMore;

    /** Whether todos wait behind the backlog that a look is to find again. */
    private boolean isWanted;

    /** Whether the last look at the present has failed. */
    private boolean presentFailed;

    private Set<Integer> shards = Set.of();

    /** Where the last look began, up to when it was, and what it left out. */
    private Instant from = Instant.MIN;

    private Instant to = Instant.MIN;
    private Exclusion leftOut = Exclusion.NONE;

    /**
     * Creates it. It is time for each look.
     *
     * @param queue says how many todos a look finds, at most
     */
    WorkerLooks(QueueSettings queue, Clock clock, TodoBuffer buffer) {
        this.clock = clock;
        this.buffer = buffer;
        batchSize = queue.batchSize();
        present = new PresentLooks(queue.pollInterval());
        reads = buffer.reads();
        behindTimes = new LookTimes(clock, LOOK);
        presentTimes = new LookTimes(clock, LOOK);
        gapTimes = new LookTimes(clock, LOOK);
        keyTimes = new LookTimes(clock, LOOK);
        largeKeyTimes = new LookTimes(clock, LOOK);
        turnTimes = new LookTimes(clock, Duration.ZERO);
        order = new ArrayList<>(List.of(presentTimes, keyTimes, gapTimes, largeKeyTimes, behindTimes));
    }

    /** Returns whether it is time for a look while the buffer is full. */
    boolean isTime() {
        return mayLookBehind() || mayLookAtPresent() || mayLookForKeys() || mayLookForLargeKeys() || mayLookAtGap();
    }

    /** It asks the buffer only if it may be time: that takes its lock. */
    private boolean mayLookBehind() {
        return behindTimes.untilSoon().isZero()
                && !reads.isSequential()
                && untilBehind().isZero()
                && !reads.isHeavy();
    }

    private Duration untilBehind() {
        if (isWanted) {
            return behindTimes.untilSoon();
        }
        if (isInVain()) {
            return behindTimes.untilInVain();
        }
        return untilSearch(behindTimes);
    }

    /** Returns whether nothing is known to wait behind the backlog. */
    private boolean isInVain() {
        return present.coversAllBut(backlog.atFront(), backlog.highestPriority()) && !reads.leavesTypes();
    }

    /** What it finds is small, or one todo. */
    private boolean mayLookAtPresent() {
        return presentTimes.untilSoon().isZero() && hasPresent() && !reads.isSequential() && !reads.isVeryHeavy();
    }

    /** Returns whether something may have become due since the last look; not if the clock was set back. */
    private boolean hasPresent() {
        return present.areBegun() && present.from().isBefore(clock.now());
    }

    /** Todos of these keys are known to be due, and nothing is known to come before them. */
    private boolean mayLookForKeys() {
        return present.keys().areWanted() && keyTimes.untilSoon().isZero() && !reads.isSequential() && !reads.isHeavy();
    }

    private boolean mayLookForLargeKeys() {
        return present.keys().areLargeWanted()
                && largeKeyTimes.untilSoon().isZero()
                && untilSearch(largeKeyTimes).isZero()
                && !reads.isSequential()
                && !reads.isHeavy();
    }

    private boolean mayLookAtGap() {
        return !present.gap().isEmpty()
                && gapTimes.untilSoon().isZero()
                && untilSearch(gapTimes).isZero()
                && !reads.isSequential()
                && !reads.isHeavy();
    }

    private Duration untilSearch(LookTimes times) {
        return buffer.isFull() ? times.untilSoon() : times.untilUsual();
    }

    /** Returns how long it is until the next look. */
    Duration left() {
        if (reads.isSequential() || !(hasBehind() || buffer.isFull()) || reads.isVeryHeavy()) {
            return Duration.ofDays(1);
        }
        if (isTime()) {
            // The turn that asks has decided before it was time. No more than that: a paused loop must not spin.
            return buffer.isFull() ? LOOK : Duration.ofDays(1);
        }
        Duration next = hasPresent() ? presentTimes.untilSoon() : Duration.ofDays(1);
        if (!reads.isHeavy()) {
            next = Times.shorter(next, untilBehind());
            next = present.keys().areWanted() ? Times.shorter(next, keyTimes.untilSoon()) : next;
            next = present.keys().areLargeWanted() ? Times.shorter(next, untilSearch(largeKeyTimes)) : next;
            next = present.gap().isEmpty() ? next : Times.shorter(next, untilSearch(gapTimes));
        }
        return next;
    }

    /** Returns whether todos wait in the database behind those that the other reads return. */
    private boolean hasBehind() {
        return isAnswered && (leavesMore || reads.leavesTypes());
    }

    /** Decides whether the next read is a look, although the buffer is not full. */
    boolean beginBeside(boolean mayLook) {
        isBeside = mayLook && hasBehind() && isTime() && !buffer.isFull();
        return isBeside;
    }

    /** Makes the next read one of all due todos. */
    void forget() {
        isAnswered = false;
    }

    /**
     * Begins a read.
     *
     * @param shards the shards of this node
     * @param mayLook whether reads may pass over a backlog
     * @return what it leaves out if it is a look; null if it is a read of all due todos
     */
    @Nullable
    Exclusion begin(Set<Integer> shards, Instant now, boolean mayLook) {
        this.shards = shards;
        beganNanos = clock.nanoTime();
        isFull = buffer.isFull();
        boolean isLook = isFull || isBeside;
        isBeside = false;
        looksAtType = false;
        current = null;
        from = Instant.MIN;
        to = now;
        leftOut = Exclusion.NONE;
        if (mayLook && !reads.isSequential()) {
            choose(now, isLook);
        }
        return current == null ? null : leftOut;
    }

    private void choose(Instant now, boolean isLook) {
        if (present.from().isAfter(now)) {
            // The clock was set back.
            present.skipTo(now);
        }
        boolean isTurn = (isFull ? turnTimes.untilSoon() : turnTimes.untilUsual()).isZero();
        Exclusion turn = isTurn ? reads.takeTurn() : null;
        if (turn != null) {
            begin(turnTimes, turn);
        } else if (isLook) {
            for (LookTimes each : List.copyOf(order)) {
                if (beganIfTime(each)) {
                    return;
                }
            }
        }
    }

    /** Begins a look of a kind, if it is time for one and it has something to look for. */
    private boolean beganIfTime(LookTimes times) {
        if ((times == keyTimes && mayLookForKeys()) || (times == largeKeyTimes && mayLookForLargeKeys())) {
            beginForKeys(times);
        } else if (times == presentTimes && mayLookAtPresent()) {
            from = present.from();
            beginAtPresent(times, Set.of());
        } else if (times == gapTimes && mayLookAtGap()) {
            from = present.gap().from();
            to = Times.earlier(present.gap().to(), to);
            beginAtPresent(times, present.gap().leftOut());
        } else if (times == behindTimes && mayLookBehind()) {
            beginBehind();
        }
        return current != null;
    }

    private void beginForKeys(LookTimes times) {
        Exclusion but = reads.present(backlog, present.gap().leftOut());
        Exclusion others = present.keys().begin(times == largeKeyTimes, shards, but);
        if (others != null) {
            begin(times, others);
        }
    }

    private void beginAtPresent(LookTimes times, Set<String> others) {
        present.uncover(reads.droppedTenants());
        begin(times, reads.present(backlog, others));
        present.leavesOut(leftOut);
    }

    private void beginBehind() {
        boolean isBacklog = isFull || leavesMore;
        Exclusion type = isBacklog && wasAtType ? null : reads.backlogOfType();
        looksAtType = type != null;
        wasAtType = looksAtType;
        if (type != null) {
            begin(behindTimes, type);
        } else if (isBacklog) {
            isWanted = false;
            begin(behindTimes, reads.backlog(backlog));
        }
    }

    private void begin(LookTimes times, Exclusion but) {
        if (order.remove(times)) {
            order.add(times);
        }
        current = times;
        leftOut = but;
    }

    /** Returns whether the last read was a look. */
    boolean isLook() {
        return current != null;
    }

    /** Returns whether the last read of all due todos has left some in the database. */
    boolean leavesMore() {
        return leavesMore;
    }

    /** Returns whether the last read was a look at a type that other reads leave out. */
    boolean isAtType() {
        return looksAtType;
    }

    /** Returns whether the last read was a look at what has become due lately. */
    boolean isAtPresent() {
        return current == presentTimes || current == gapTimes;
    }

    private boolean isForKeys() {
        return current == keyTimes || current == largeKeyTimes;
    }

    /** Returns the shards that the last look reads. */
    Set<Integer> shards() {
        return isForKeys() ? present.keys().shards() : shards;
    }

    /** Returns how many todos the last look is to find, at most. */
    int limit() {
        if (current == presentTimes) {
            return present.limit(batchSize);
        }
        if (isForKeys()) {
            return present.keys().limit(batchSize, MORE * batchSize);
        }
        return current == gapTimes ? MORE * batchSize : batchSize;
    }

    /** Returns up to when the last look is. */
    Instant to() {
        return to;
    }

    /** Returns where the last look begins. */
    Instant from() {
        return from;
    }

    /** Returns when the last read began. */
    long beganNanos() {
        return beganNanos;
    }

    /** Notes that the look has failed. */
    void failed() {
        Objects.requireNonNull(current).failed(beganNanos);
        if (current == presentTimes) {
            if (presentFailed) {
                present.skipTo(to);
            }
            presentFailed = !presentFailed;
        } else if (current == gapTimes) {
            present.gapFailed();
        } else if (isForKeys()) {
            present.keys().failed();
        }
        isWanted |= isBehindAll();
    }

    /** Notes that the look has succeeded. */
    void succeeded(DueTimers read) {
        Objects.requireNonNull(current).ended(beganNanos);
        if (isAtPresent()) {
            presentFailed &= current == gapTimes;
            if (current == gapTimes ? present.hasReadGap(read) : present.hasRead(read, to)) {
                current.catchesUp(beganNanos);
            }
        } else if (isForKeys()) {
            present.keys().hasRead(read);
            if (current == keyTimes) {
                current.continues(beganNanos);
            }
        } else if (isBehindAll()) {
            backlog.hasRead(read);
            if (!read.more() && leftOut.types().isEmpty()) {
                present.hasReadAllBut(leftOut, to);
            }
        }
    }

    private boolean isBehindAll() {
        return current == behindTimes && !looksAtType;
    }

    /**
     * Notes a read of all due todos.
     *
     * @param but what it left out; null if it is not known to have read the others
     */
    void hasReadAll(DueTimers read, @Nullable Exclusion but) {
        isAnswered = true;
        if (leavesMore != read.more()) {
            leavesMore = read.more();
            reads.leavesMore(leavesMore);
        }
        backlog.hasReadAll(read);
        if (read.more()) {
            present.leavesMore(to);
        } else if (but != null && but.types().isEmpty() && but.tenants().isEmpty()) {
            present.hasReadAll(but, to);
        }
    }

    /** Notes todos that were read, or were in the buffer, and are not there. */
    void left(List<StoredTimer> todos) {
        present.left(todos);
        Set<String> atBacklog = backlog.leftOut();
        for (StoredTimer each : todos) {
            boolean isUrgent = each.content().priority() > backlog.highestPriority();
            Instant wakeAt = each.wakeAt();
            String tenant = each.key().tenantId();
            boolean hasBacklog = atBacklog.contains(tenant) || present.hasBacklog(tenant);
            if (wakeAt != null && (isUrgent || !hasBacklog)) {
                isWanted |= !present.findAgain(wakeAt);
            }
        }
    }

    /** Notes that a todo is due at that time which may be new. */
    void announced(Instant dueAt) {
        present.announced(dueAt);
    }

    /** Looks also for what became due shortly before other nodes gave shards to this one. */
    void shardsCame() {
        present.shardsCame();
    }

    /** Forgets what is known of tenants, because a turn broke off. */
    void recover() {
        present.forget();
    }

    /**
     * Returns the todos of the last read without those that might overtake others of their parallel key, because the
     * look has not seen all that comes before them. There are looks for the keys of these.
     */
    List<StoredTimer> inOrder(DueTimers read, List<StoredTimer> todos) {
        if (current == null) {
            return todos;
        }
        Map<Boolean, List<StoredTimer>> parts = todos.stream().collect(Collectors.partitioningBy(this::mustWait));
        List<StoredTimer> others = parts.getOrDefault(false, List.of());
        List<StoredTimer> urgent = new ArrayList<>();
        for (StoredTimer each : parts.getOrDefault(true, List.of())) {
            if (leftOut.tenants().contains(each.key().tenantId())) {
                urgent.add(each);
            } else {
                isWanted |= !present.want(each);
            }
        }
        if (isBehindAll()) {
            backlog.foundInVain(urgent);
        }
        return isAtPresent() && read.more() ? present.shares(others, batchSize) : others;
    }

    private boolean mustWait(StoredTimer todo) {
        return !hasSeenAllBefore(todo) && buffer.hasLane(todo);
    }

    /** Returns whether nothing that comes before a todo of the last look waits in the database. */
    private boolean hasSeenAllBefore(StoredTimer todo) {
        if (current == presentTimes) {
            return present.covers(todo);
        }
        if (current == gapTimes) {
            return present.coversInGap(todo);
        }
        boolean leavesTypes = isBehindAll() && !leftOut.types().isEmpty();
        return !leavesTypes && !leftOut.tenants().contains(todo.key().tenantId());
    }
}

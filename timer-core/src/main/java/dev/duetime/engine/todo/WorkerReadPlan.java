package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.BacklogLooks;
import dev.duetime.engine.loop.ReadPlan;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.engine.shards.Claim;
import dev.duetime.engine.window.ExclusionWindows;
import dev.duetime.engine.window.LookTimes;
import dev.duetime.engine.window.ReadWindow;
import dev.duetime.engine.window.RestedRead;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plan of reads for workers. While there is a backlog, it also reads, now and then, todos behind it: more urgent
 * ones, and those of other tenants. While the buffer is full, it reads nothing else. It also looks behind the backlog
 * of a type that the other reads leave out. Used by the loop's thread.
 */
final class WorkerReadPlan implements ReadPlan {
    /** How often a batch is doubled for a read of a backlog. So the buffer holds not many more todos than are run. */
    private static final int BACKLOG_DOUBLINGS = 2;

    /** The distance of the sizes of a read beyond the smallest ones: not many more todos are read than wanted. */
    private static final int ASIDE_STEP = 1_024;

    private final QueueSettings queue;
    private final Clock clock;
    private final TodoBuffer buffer;
    private final BufferReads reads;
    private final UnreadableRows unreadable;
    private final CrashAttempts crashAttempts;
    private final ReadWindow window;
    private final ExclusionWindows exclusions;
    private final BacklogLooks looks = new BacklogLooks();
    private final LookTimes times;

    /** How many todos of the last read callers were cancelling. Such a call may wait for its row for seconds. */
    private int refused;

    /** When the statement of the last read of all todos began. */
    private long askedAtNanos;

    /** How long the last read took. */
    private long tookNanos;

    private boolean looksBehind;

    /** Whether the last read looked for the tenant whose turn it is. */
    private boolean looksForTurn;

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

    /** What the last read left out, if it was a look. */
    private Exclusion leftOut = Exclusion.NONE;

    /** Up to when the last read was. */
    private Instant readTo = Instant.MIN;

    /** Whether the last read was one to know more parallel keys. */
    private boolean learns;

    /** The last read; null if it was one behind the backlog. */
    private @Nullable DueQuery asked;

    /** Whether the last read began with the oldest todo and left nothing out. */
    private boolean readsAll;

    /** The read of todos that the last one has returned, too, and whether it is time for it. */
    private final RestedRead again;

    private boolean hasRested;

    /** Set when shards come from other nodes, which may have left todos behind the windows. */
    private volatile boolean shardsCame;

    WorkerReadPlan(TodoNode node, TodoBuffer buffer, UnreadableRows unreadable, CrashAttempts crashAttempts) {
        this.queue = node.queue();
        window = new ReadWindow(BACKLOG_DOUBLINGS, queue.readBytes());
        this.clock = node.clock();
        this.buffer = buffer;
        reads = buffer.reads();
        this.unreadable = unreadable;
        this.crashAttempts = crashAttempts;
        times = new LookTimes(clock);
        exclusions = new ExclusionWindows(queue, node.store());
        again = new RestedRead(clock);
    }

    /** Returns whether to read: enough is left to the workers while the next batch is read. */
    @Override
    public boolean hasRoom() {
        return !buffer.isClogged() && (!buffer.isFull() || (!reads.isHeavy() && mayLookBehind()));
    }

    private boolean mayLookBehind() {
        return mayLook() && times.mayLookBehind();
    }

    /**
     * A look passes over much, too. So it would fail while other such reads are made in parts. In a queue that keeps
     * the order of all its todos there is nothing to look for.
     */
    private boolean mayLook() {
        return !reads.isSequential() && !exclusions.areInParts(clock.nanoTime());
    }

    /** Returns whether todos wait in the database behind those that the other reads return. */
    private boolean hasBehind() {
        return isAnswered && (reads.leavesTypes() || reads.leavesMore());
    }

    /** Returns how long it is until the loop may read behind the backlog of a full buffer. */
    Duration untilLookBehind() {
        boolean wantsLook = !buffer.isClogged() && !reads.isHeavy() && (buffer.isFull() || hasBehind()) && mayLook();
        return wantsLook && !mayLookBehind() ? times.untilLookBehind() : Duration.ofDays(1);
    }

    @Override
    public boolean looksBeside() {
        isBeside = !buffer.isFull() && hasBehind() && mayLookBehind();
        return isBeside;
    }

    @Override
    public void forget() {
        isAnswered = false;
    }

    @Override
    public void announce(Instant dueAt) {
        readFrom(dueAt);
        reads.announced(dueAt);
    }

    @Override
    public void readFrom(Instant dueAt) {
        window.announced(dueAt);
        exclusions.announced(dueAt);
    }

    @Override
    public void oldestIs(Instant dueAt) {
        window.announced(dueAt);
        exclusions.oldestIs(dueAt);
    }

    @Override
    public boolean takeReadAgain() {
        boolean isRequested = reads.takeReadsAgain();
        if (isRequested) {
            window.readAll();
        }
        boolean isRested = hasRested;
        hasRested = false;
        return isRequested || isRested;
    }

    @Override
    public boolean holdsTimers() {
        return buffer.size() > 0;
    }

    @Override
    public DueQuery prepare(Claim claim, Instant now) {
        exclusions.beginRead();
        if (shardsCame) {
            shardsCame = false;
            exclusions.forget();
        }
        reads.beginRead();
        reads.retain(claim.shards());
        crashAttempts.beginRead(claim.shards());
        times.begin();
        asked = null;
        readTo = now;
        learns = false;
        DueQuery look = look(claim, now);
        looksBehind = look != null;
        leftOut = look == null ? Exclusion.NONE : look.but();
        return look == null ? readAll(claim, now) : look;
    }

    /** Returns the query of a look behind the backlog; null if it is time for a read of all due todos. */
    private @Nullable DueQuery look(Claim claim, Instant now) {
        isFull = buffer.isFull();
        boolean isBacklog = isFull || (isBeside && reads.leavesMore());
        boolean isLook = isBacklog || isBeside;
        isBeside = false;
        looksAtType = false;
        Exclusion turn = mayLook() && times.mayLookForTurn() ? reads.takeTurn() : null;
        looksForTurn = turn != null;
        if (turn != null) {
            return query(claim, Instant.MIN, now, lookLimit(), turn);
        }
        if (!isLook || reads.isSequential()) {
            return null;
        }
        Exclusion backlogOfType = isBacklog && wasAtType ? null : reads.backlogOfType();
        looksAtType = backlogOfType != null;
        wasAtType = looksAtType;
        if (backlogOfType != null) {
            return query(claim, Instant.MIN, now, limit(), backlogOfType);
        }
        return isBacklog ? query(claim, Instant.MIN, now, lookLimit(), reads.backlog(looks)) : null;
    }

    private DueQuery readAll(Claim claim, Instant now) {
        if (exclusions.mayGoOn(claim.shards(), now, times.beganNanos())) {
            Exclusion further = reads.further();
            if (!further.isNothing() && exclusions.goOn(further, times.beganNanos())) {
                return all(claim, exclusions.furthest(), now, further);
            }
        }
        Exclusion full = reads.fullLanes(Set.copyOf(claim.shards()));
        if (!full.isNothing()) {
            window.readAll();
        }
        exclusions.left(reads.takeDropped());
        Instant learnsFrom = reads.learnsFrom();
        if (learnsFrom != null) {
            window.readAll();
            learns = true;
            readsAll = false;
            return query(claim, learnsFrom, now, limit(), full);
        }
        long nanos = clock.nanoTime();
        Instant from = full.isNothing()
                ? window.from(claim.shards(), now, nanos, true)
                : exclusions.from(claim.shards(), full, nanos);
        return all(claim, from, now, full);
    }

    /** Returns the query of a read of all due todos but some. */
    private DueQuery all(Claim claim, Instant from, Instant now, Exclusion but) {
        reads.readsFrom(from, !exclusions.goesOn());
        readsAll = from.equals(Instant.MIN) && but.isNothing();
        readTo = but.isNothing() ? now : exclusions.to(from, now);
        DueQuery query = query(claim, from, readTo, limit(), but);
        asked = query;
        askedAtNanos = clock.nanoTime();
        return query;
    }

    /** Todos in the buffer are read again, since they may have changed. They take no room from those that follow. */
    private DueQuery query(Claim claim, Instant from, Instant now, int limit, Exclusion leftOut) {
        long bytes = window.bytes() + reads.bytes();
        return new DueQuery(queue.name(), claim.shards(), from, now, limit, leftOut, bytes, reads.generationsAside());
    }

    /** Returns the limit of a read behind a backlog. */
    private int lookLimit() {
        return queue.batchSize() + ReadWindow.roundedUp(unreadable.staying() + refused) + asideRows();
    }

    /**
     * Returns a limit that gets past the todos in the buffer. There are only a few sizes, because a database makes a
     * new plan for each size.
     */
    private int limit() {
        int staying = unreadable.staying() + refused;
        int enough = window.limit(queue.batchSize() << window.doublings()) + buffer.open() + staying;
        int limit = window.limit(queue.batchSize());
        while (limit < enough) {
            limit *= 2;
        }
        return limit + asideRows();
    }

    /** Returns how many rows a read may return of todos whose outcome cannot be written now, as one of a few sizes. */
    private int asideRows() {
        int count = reads.aside();
        return count <= ASIDE_STEP ? ReadWindow.roundedUp(count) : (count / ASIDE_STEP + 1) * ASIDE_STEP;
    }

    @Override
    public Instant shownFrom() {
        return ReadPlan.shownFrom(asked);
    }

    @Override
    public boolean isBeside() {
        return looksBehind;
    }

    @Override
    public void failed() {
        window.failed();
        if (looksBehind) {
            times.ended(looksForTurn, true);
        } else {
            exclusions.failed(clock.nanoTime() - askedAtNanos);
        }
    }

    @Override
    public DueTimers readMore(ScheduleStore store, Claim claim, DueQuery query, DueTimers read) {
        return exclusions.succeeded(read, clock.nanoTime() - askedAtNanos);
    }

    /** Returns whether the last read of all due todos has left some in the database. */
    boolean leavesMore() {
        return reads.leavesMore();
    }

    /** Returns whether the last read was one behind the backlog. */
    boolean looksBehind() {
        return looksBehind;
    }

    /** Notes that a read succeeded. Unless {@link #admitted} follows, the next one begins with the oldest todo. */
    void succeeded(DueTimers read) {
        tookNanos = clock.nanoTime() - times.beganNanos();
        window.succeeded();
        if (looksBehind) {
            if (!looksForTurn && !looksAtType) {
                looks.hasRead(read);
            }
            times.ended(looksForTurn, false);
            if (isFull) {
                // The buffer holds enough of what comes first: the next read makes room for what the looks find.
                window.left();
            }
            return;
        }
        if (readsAll && !learns) {
            crashAttempts.read(read);
        }
        looks.hasReadAll(read);
        window.left();
    }

    /**
     * Returns the todos of a read without the urgent ones that must not overtake others of their parallel key: a look
     * does not see what of their tenant comes before them.
     */
    List<StoredTimer> inOrder(List<StoredTimer> todos) {
        Set<String> tenants = leftOut.tenants();
        if (tenants.isEmpty()) {
            return todos;
        }
        Map<Boolean, List<StoredTimer>> parts = todos.stream()
                .collect(Collectors.partitioningBy(
                        each -> tenants.contains(each.key().tenantId()) && buffer.hasLane(each)));
        looks.foundInVain(parts.getOrDefault(true, List.of()));
        return parts.getOrDefault(false, List.of());
    }

    /** Notes the todos of a read that are not in the buffer. */
    void left(DueTimers read, List<StoredTimer> todos) {
        DueQuery query = asked;
        if (query != null && !query.but().isNothing()) {
            long now = clock.nanoTime();
            exclusions.done(query.but(), query.from(), query.now(), read, now, now - askedAtNanos);
        }
        exclusions.left(todos);
        reads.read(read, readTo, todos, tookNanos);
        if (looksBehind) {
            todos.stream().map(StoredTimer::wakeAt).filter(Objects::nonNull).forEach(window::announced);
        } else {
            isAnswered = true;
            reads.leavesMore(read.more());
        }
    }

    /** Returns whether the last read goes on where others have come furthest: it shows nothing of what comes before. */
    boolean goesOn() {
        return exclusions.goesOn();
    }

    /**
     * Lets the next read come after a rest, if the last one was one of a part, because the whole range takes too long.
     *
     * @param isInVain whether the next read may return the same todos again, or none at all
     * @return whether it rests
     */
    boolean restsAfterPart(boolean isInVain) {
        boolean rests = isInVain && (exclusions.readsPart() || exclusions.goesOn());
        if (rests) {
            again.after(clock.nanoTime() - askedAtNanos);
        }
        return rests;
    }

    /** Returns when to read todos again that the last read has returned; {@link Instant#MAX} if there are none. */
    Instant tryAgain(Instant now) {
        if (again.isDue()) {
            again.forget();
            hasRested = true;
            return now;
        }
        return again.next(now);
    }

    /** Makes the next read include what other nodes have left. Called by any thread. */
    void shardsCame() {
        shardsCame = true;
    }

    /** Returns whether to read again at once, because the last or next read makes more parallel keys known. */
    boolean readsForKeys() {
        return reads.readsForKeys() && !buffer.isFull() && !exclusions.goesOn();
    }

    /** Returns whether todos wait until more parallel keys are known. */
    boolean waitsForKeys() {
        return reads.waitsForKeys();
    }

    /** Makes the next read include all due todos, after a turn broke off. */
    void recover() {
        window.left();
        exclusions.recover();
        reads.forgetKeys();
    }

    /** Notes how many of the todos that were read cannot be taken in now: they take no room from the others. */
    void refused(int count) {
        refused = count;
    }

    /** Notes that all that was read is in the buffer, and how long that took. */
    void admitted(DueTimers read, long nanos) {
        if (!looksBehind && !learns && !exclusions.goesOn()) {
            window.done(read, Instant.MIN, nanos, 0);
        }
    }
}

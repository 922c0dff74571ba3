package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.loop.ReadPlan;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.engine.shards.Claim;
import dev.duetime.engine.window.ExclusionWindows;
import dev.duetime.engine.window.ReadWindow;
import dev.duetime.engine.window.RestedRead;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

    /** How large a part of a read a look at the present may find while large todos fill the memory. */
    private static final int SMALL_PART = 8;

    private final QueueSettings queue;
    private final Clock clock;
    private final TodoBuffer buffer;
    private final BufferReads reads;
    private final UnreadableRows unreadable;
    private final CrashAttempts crashAttempts;
    private final ReadWindow window;
    private final ExclusionWindows exclusions;
    private final WorkerLooks looks;

    /** How many todos of the last read callers were cancelling. Such a call may wait for its row for seconds. */
    private int refused;

    /** When the statement of the last read of all todos began. */
    private long askedAtNanos;

    /** How long the last read took. */
    private long tookNanos;

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

    /** The shards of the last read. */
    private Set<Integer> shards = Set.of();

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
        looks = new WorkerLooks(queue, clock, buffer);
        exclusions = new ExclusionWindows(queue, node.store());
        again = new RestedRead(clock);
    }

    /** Returns whether to read: enough is left to the workers while the next batch is read. */
    @Override
    public boolean hasRoom() {
        return !buffer.isClogged() && (!buffer.isFull() || (mayLook() && looks.isTime()));
    }

    /** A look passes over much, too. So it would fail while other such reads are made in parts. */
    private boolean mayLook() {
        return !exclusions.areInParts(clock.nanoTime());
    }

    /** Returns how long it is until the loop may read behind the backlog. */
    Duration untilLookBehind() {
        return !buffer.isClogged() && mayLook() ? looks.left() : Duration.ofDays(1);
    }

    @Override
    public boolean looksBeside() {
        return looks.beginBeside(mayLook());
    }

    @Override
    public void forget() {
        looks.forget();
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
        looks.announced(dueAt);
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
        boolean haveCome = shardsCame;
        if (haveCome) {
            shardsCame = false;
            exclusions.forget();
        }
        if (haveCome || !shards.containsAll(claim.shards())) {
            looks.shardsCame();
        }
        if (haveCome || !shards.equals(claim.shards())) {
            // The window may have moved on with reads of other shards.
            window.readAll();
        }
        shards = Set.copyOf(claim.shards());
        reads.beginRead();
        reads.retain(claim.shards());
        crashAttempts.beginRead(claim.shards());
        asked = null;
        readTo = now;
        learns = false;
        Exclusion leftOut = looks.begin(claim.shards(), now, mayLook());
        return leftOut == null ? readAll(claim, now) : look(leftOut);
    }

    private DueQuery look(Exclusion leftOut) {
        long bytes = looks.isAtPresent()
                ? reads.isHeavy() ? window.bytes() / SMALL_PART : window.bytes()
                : window.bytes() + reads.bytes();
        int limit = looks.isAtType() ? limit() : lookLimit();
        return query(looks.shards(), looks.from(), looks.to(), limit, leftOut, bytes);
    }

    private DueQuery readAll(Claim claim, Instant now) {
        if (exclusions.mayGoOn(claim.shards(), now, looks.beganNanos())) {
            Exclusion further = reads.further();
            if (!further.isNothing() && exclusions.goOn(further, looks.beganNanos())) {
                return all(claim, exclusions.furthest(), now, further);
            }
        }
        Exclusion full = reads.fullLanes(Set.copyOf(claim.shards()));
        if (!full.isNothing()) {
            window.readAll();
        }
        List<StoredTimer> dropped = reads.takeDropped();
        exclusions.left(dropped);
        looks.left(dropped);
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
        return query(claim.shards(), from, now, limit, leftOut, window.bytes() + reads.bytes());
    }

    private DueQuery query(Set<Integer> wanted, Instant from, Instant now, int limit, Exclusion leftOut, long bytes) {
        return new DueQuery(
                queue.name(), wanted, from, now, limit, leftOut, Math.max(1, bytes), reads.generationsAside());
    }

    /** Returns the limit of a read behind a backlog. */
    private int lookLimit() {
        return looks.limit() + ReadWindow.roundedUp(unreadable.staying() + refused) + asideRows();
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
        return looks.isLook();
    }

    @Override
    public void failed() {
        window.failed();
        if (looks.isLook()) {
            looks.failed();
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
        return looks.leavesMore();
    }

    /** Returns whether the last read was one behind the backlog. */
    boolean looksBehind() {
        return looks.isLook();
    }

    /** Notes that a read succeeded. Unless {@link #admitted} follows, the next one begins with the oldest todo. */
    void succeeded(DueTimers read) {
        tookNanos = clock.nanoTime() - looks.beganNanos();
        window.succeeded();
        if (looks.isLook()) {
            looks.succeeded(read);
            if (buffer.isFull() && !read.timers().isEmpty()) {
                // The buffer holds enough of what comes first: the next read makes room for what the looks find.
                window.left();
            }
            return;
        }
        if (readsAll && !learns) {
            crashAttempts.read(read);
        }
        window.left();
    }

    /** Returns the todos of a read without those that might overtake others of their parallel key. */
    List<StoredTimer> inOrder(DueTimers read, List<StoredTimer> todos) {
        return looks.inOrder(read, todos);
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
        if (looks.isLook()) {
            todos.stream().map(StoredTimer::wakeAt).filter(Objects::nonNull).forEach(window::announced);
        } else {
            looks.hasReadAll(read, query == null ? null : query.but());
        }
        looks.left(todos);
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
        looks.recover();
        reads.forgetKeys();
    }

    /** Notes how many of the todos that were read cannot be taken in now: they take no room from the others. */
    void refused(int count) {
        refused = count;
    }

    /** Notes that all that was read is in the buffer, and how long that took. */
    void admitted(DueTimers read, long nanos) {
        if (!looks.isLook() && !learns && !exclusions.goesOn()) {
            window.done(read, Instant.MIN, nanos, 0);
        }
    }
}

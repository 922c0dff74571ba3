package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.LeftKeys;
import dev.duetime.engine.looks.LookBehind;
import dev.duetime.engine.looks.LookBehind.Look;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.ReadPlan;
import dev.duetime.engine.loop.Sorted;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.SetAside;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.engine.shards.Claim;
import dev.duetime.engine.window.ExclusionWindows;
import dev.duetime.engine.window.ReadWindow;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of reads for a publisher: a batch, and more in an outage or in a backlog. Nothing is read while too many
 * delivered timers cannot be settled. Used by the loop's thread.
 */
final class PublisherReadPlan implements ReadPlan {
    /** A read of a backlog grows from one batch to two, four and eight. */
    private static final int BACKLOG_DOUBLINGS = 3;

    /**
     * The number of batches in one read during an outage, because timers further back may get through. Expired timers
     * are ended as well, because that costs little. Bounds memory.
     */
    private static final int MOST_DOUBLINGS = 2;

    private final LoopParts parts;
    private final Settler settler;
    private final UnreadableRows unreadable;
    private final CrashAttempts crashAttempts;
    private final Outage outage;
    private final Publishing publishing;
    private final ReadWindow window;
    private final ExclusionWindows exclusions;
    private final LookBehind lookBehind = new LookBehind();
    private final OtherTenants others;
    private final WaitingTimers waiting;

    /** How many reads in a row had a greater part that was over. */
    private int mostlyOver;

    /** How many of the last read were just being cancelled: such a call may wait for its row for seconds. */
    private int refused;

    /** How many timers of busy parallel keys the last read was to return besides others. */
    private int stuckInCalls;

    /** Whether the last read began with the oldest timer. */
    private boolean fromOldest;

    /** The last read, and how long it took. */
    private @Nullable DueQuery asked;

    private long askedAtNanos;

    private long askedNanos;

    /** Up to when the last read returned all timers, and whether it left some out on purpose. */
    private Instant readUpTo = Instant.MIN;

    private boolean leftOut;

    /** Set when shards come from other nodes, which may have left timers behind the window. */
    private volatile boolean shardsCame;

    PublisherReadPlan(
            LoopParts parts,
            Settler settler,
            UnreadableRows unreadable,
            CrashAttempts crashAttempts,
            Outage outage,
            Publishing publishing) {
        this.parts = parts;
        window = new ReadWindow(BACKLOG_DOUBLINGS, parts.queue().readBytes());
        this.settler = settler;
        this.unreadable = unreadable;
        this.crashAttempts = crashAttempts;
        this.outage = outage;
        this.publishing = publishing;
        others = new OtherTenants(parts.clock());
        waiting = new WaitingTimers(parts.permits(), publishing.calls(), parts.clock());
        exclusions = new ExclusionWindows(parts.queue(), parts.store());
    }

    @Override
    public boolean hasRoom() {
        return !settler.aside().isFull()
                && publishing.hasRoom()
                && !parts.permits().isBlocked();
    }

    @Override
    public void announce(Instant dueAt) {
        readFrom(dueAt);
        others.announced(dueAt);
        waiting.keys().announced(dueAt);
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
        boolean ready = waiting.takeReadsAgain();
        if (ready) {
            window.readAll();
        }
        return publishing.calls().takeReadAgain() || ready;
    }

    /** Tries to begin timers that wait for permits or parallel keys. Returns when to try again. */
    Instant tryWaiting() {
        return waiting.tryAgain(parts.clock().now());
    }

    @Override
    public boolean holdsTimers() {
        return !publishing.calls().isIdle() || parts.permits().blocksSome();
    }

    /** Reads, in a backlog, also timers of tenants that wait behind it. */
    @Override
    public DueTimers readMore(ScheduleStore store, Claim claim, DueQuery query, DueTimers read) {
        askedNanos = parts.clock().nanoTime() - askedAtNanos;
        ConcurrentCalls calls = publishing.calls();
        if (lookBehind.look() == null && !waiting.keys().learns() && !readsPart()) {
            others.search(
                    store, claim, query, read, calls.searched(parts.queue().batchSize()), calls.timers());
        } else {
            others.skip();
        }
        return exclusions.succeeded(read, askedNanos);
    }

    @Override
    public Instant settledBefore(Claim claim) {
        return mayStayDue() || shardsCame ? Instant.MIN : window.settledBefore(claim.shards());
    }

    @Override
    public Instant readsFrom() {
        return window.from();
    }

    /** Returns whether timers that were read may stay due: they are in calls, or wait until they can run alone. */
    private boolean mayStayDue() {
        return publishing.calls().isConcurrent() || !crashAttempts.isIdle();
    }

    /** Makes the next read begin with the oldest timer. Called by any thread. */
    void shardsCame() {
        shardsCame = true;
    }

    /** Returns the timers of other tenants that the last read has found behind the backlog. */
    List<StoredTimer> others() {
        return others.found();
    }

    /** Returns whether the turn should end, because timers of other tenants have become due meanwhile. */
    boolean othersHaveCome() {
        return others.haveCome();
    }

    /**
     * Notes the timers that were not published.
     *
     * @param sorted what was read; without the timers that are published
     * @param hasTried whether the others were to be published
     */
    void leftOpen(Sorted sorted, boolean isMostlyOver, boolean hasTried) {
        DueTimers due = sorted.due();
        if (!waiting.keys().learns()) {
            waiting.hasRead(
                    hasTried ? publishing.refusedTypes() : Set.of(),
                    !readsPart() && sorted.read().more());
        }
        boolean haveBegun = refused == 0 && sorted.begun() > 0;
        others.left(haveBegun ? sorted.open() : others.found());
        DueQuery query = asked;
        boolean all = !isMostlyOver && sorted.begun() >= due.timers().size();
        List<StoredTimer> left = all ? sorted.open() : due.timers();
        if (query != null) {
            waiting.keys().read(sorted.read(), query.now(), left, askedNanos);
        }
        if (query != null
                && !query.but().isNothing()
                && lookBehind.look() == null
                && !waiting.keys().learns()) {
            exclusions.done(
                    query.but(), query.from(), query.now(), due, parts.clock().nanoTime(), askedNanos);
        }
        exclusions.left(left);
        // The next occurrence of a recurring timer may be due already.
        exclusions.left(due.timers().stream()
                .filter(each -> each.content().recurrence() != null)
                .toList());
    }

    @Override
    public DueQuery prepare(Claim claim, Instant now) {
        exclusions.beginRead();
        crashAttempts.beginRead(claim.shards());
        Look behind = lookBehind.look();
        ConcurrentCalls calls = publishing.calls();
        Exclusion leftOutNow = waiting.leftOut();
        boolean leavesOut = !leftOutNow.isNothing();
        if (leavesOut || shardsCame) {
            window.readAll();
        }
        if (shardsCame) {
            shardsCame = false;
            exclusions.forget();
            waiting.keys().announced(Instant.MIN);
        }
        boolean goesBack = window.goesBack();
        LeftKeys keys = waiting.keys();
        long nanos = parts.clock().nanoTime();
        boolean goesOn = behind == null
                && leavesOut
                && exclusions.mayGoOn(claim.shards(), now, nanos)
                && exclusions.goOn(leftOutNow, nanos);
        Exclusion but;
        Instant from;
        if (behind != null) {
            but = waiting.behind(behind.but());
            from = behind.from();
        } else if (goesOn) {
            but = waiting.behind(leftOutNow);
            from = exclusions.furthest();
        } else {
            but = keys.beginRead(leftOutNow, claim.shards(), true);
            from = keys.learns() ? keys.learnsFrom() : plainFrom(claim, but, now, nanos);
        }
        keys.readsFrom(from);
        fromOldest = from.equals(Instant.MIN);
        if (fromOldest || goesBack || !but.isNothing()) {
            // Such a read would return timers that are being settled.
            settler.flush();
        }
        leftOut = behind != null || leavesOut;
        readUpTo = leftOut || mayStayDue() ? Instant.MIN : now;
        QueueSettings queue = parts.queue();
        int wanted = Math.max(Math.min(Math.max(outage.failures(), mostlyOver), MOST_DOUBLINGS), window.doublings());
        SetAside aside = settler.aside();
        int staying = unreadable.staying() + aside.size() + refused + calls.countFrom(from);
        stuckInCalls = calls.keys().stuck();
        int rows = calls.rows(queue.batchSize(), wanted) + stuckInCalls;
        boolean isOneBatch = wanted == 0 && !calls.isConcurrent();
        int limit = window.limit(isOneBatch ? rows - others.room(rows) : rows) + ReadWindow.roundedUp(staying);
        DueQuery query = new DueQuery(
                queue.name(),
                claim.shards(),
                from,
                behind != null ? Times.earlier(behind.to(), now) : but.isNothing() ? now : exclusions.to(from, now),
                limit,
                but,
                calls.bytes(window.bytes()),
                calls.withGenerations(aside.generations()));
        asked = query;
        askedAtNanos = parts.clock().nanoTime();
        return query;
    }

    private Instant plainFrom(Claim claim, Exclusion but, Instant now, long nanos) {
        return but.isNothing()
                ? window.from(claim.shards(), now, nanos, mayStayDue())
                : exclusions.from(claim.shards(), but, nanos);
    }

    /** Returns the timers that may be published now: the others must wait to keep the order of their parallel keys. */
    List<StoredTimer> inOrder(List<StoredTimer> timers) {
        List<StoredTimer> ready = waiting.inOrder(timers);
        return exclusions.goesOn()
                ? ready.stream()
                        .filter(each -> each.content().parallelKey() == null)
                        .toList()
                : ready;
    }

    /** Returns whether to read again at once, because the last or next read makes more parallel keys known. */
    boolean readsForKeys() {
        return waiting.keys().readsAtOnce() && hasRoom() && !exclusions.goesOn();
    }

    /** Returns whether timers wait until more parallel keys are known. */
    boolean waitsForKeys() {
        return waiting.keys().areWanted();
    }

    /**
     * Returns whether another read at once would return more: it would leave out something of the last one, or be
     * larger.
     */
    boolean leavesOutMore() {
        DueQuery query = asked;
        return query != null
                && (waiting.areMoreThan(query.but())
                        || publishing.calls().keys().stuck() > stuckInCalls);
    }

    /** Returns whether the last read was one of a part of what is due, because its whole range takes too long. */
    boolean readsPart() {
        return exclusions.readsPart() || exclusions.goesOn();
    }

    /** Notes that what the last read has found is thrown away, and is read again. */
    void discard() {
        exclusions.discard();
    }

    /** Lets the loop read again after a while, because the next read may return the same timers as the last one. */
    void readAfterRest() {
        waiting.readAfterRest(parts.clock().nanoTime() - askedAtNanos);
    }

    @Override
    public void failed() {
        window.failed();
        exclusions.failed(parts.clock().nanoTime() - askedAtNanos);
    }

    @Override
    public boolean wasOfAll() {
        return fromOldest && !leftOut;
    }

    /** Returns what the last read has asked for. There must have been one. */
    DueQuery asked() {
        return Objects.requireNonNull(asked);
    }

    @Override
    public Instant shownFrom() {
        return ReadPlan.shownFrom(asked);
    }

    @Override
    public boolean hasUnwritten() {
        return settler.aside().size() + unreadable.staying() > 0;
    }

    /** Notes that the read succeeded. Unless {@link #settled} follows, the next one begins with the oldest timer. */
    void succeeded() {
        window.succeeded();
        window.left();
    }

    /** Makes the next read include the next occurrences of timers that were in calls. */
    void recurred(List<StoredTimer> timers) {
        exclusions.left(timers);
    }

    /** Makes the next read show all due timers, as far as it leaves nothing out. */
    void readAll() {
        window.oweAll();
    }

    /** Makes the next read include timers again that were in calls. */
    void readAgain(List<StoredTimer> timers) {
        window.oweAll();
        exclusions.left(timers);
        for (StoredTimer each : timers) {
            waiting.keys().add(each);
            others.announced(wakeAt(each));
        }
    }

    private static Instant wakeAt(StoredTimer timer) {
        return Objects.requireNonNull(timer.wakeAt());
    }

    /** Makes the next read include timers that are no longer in delivery after a turn broke off. */
    void recover() {
        window.left();
        exclusions.recover();
        waiting.keys().forget();
    }

    /** Notes how many of the timers that were read cannot be delivered now: they take no room from the others. */
    void refused(int count) {
        refused = count;
    }

    /** Notes whether most timers of the read have ended. */
    void isMostlyOver(boolean over) {
        mostlyOver = over ? mostlyOver + 1 : 0;
    }

    /**
     * Notes that the read is settled or will be.
     *
     * @param left the timers that a turn has left for others: the next read includes them
     * @param nanos how long the delivery took
     */
    void settled(DueTimers read, List<StoredTimer> left, long nanos) {
        window.done(read, readUpTo, nanos, others.areKnown() ? publishing.own().batchNanos() : 0);
        left.forEach(each -> window.announced(wakeAt(each)));
        if (leftOut) {
            window.readAll();
        }
    }

    /**
     * Notes the result of a read. Returns until when to back off. There is no back-off before a look behind a read full
     * of poison.
     */
    Instant backOffUntil(DueTimers read, Instant wanted) {
        if (lookBehind.look() != null) {
            window.readAll();
        }
        return lookBehind.after(
                read, asked().but().parallelKeys(), wanted, publishing.hasBegunOne(), outage.failures() > 0);
    }
}

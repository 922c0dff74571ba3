package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.SetAside;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.engine.todo.TodoLane.HeldTodo;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The todos that a buffer holds: those that wait in their lanes, and those that run or are not settled. Not
 * thread-safe: the buffer holds a lock.
 */
final class BufferedTodos {
    /** A todo that was read longer ago may have been changed meanwhile. It is read again before it runs. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    /** The number of batches that the workers still have when the next one is read. */
    private static final int AHEAD = 2;

    /** How many reads the buffer holds when only todos behind the backlog are read. */
    private static final int MANY_READS = 2;

    /** How many reads the buffer holds when only what has just become due is read. */
    private static final int MOST_READS = 3;

    /** How many reads the buffer holds when nothing is read. */
    private static final int MOST_READS_PRESENT = 4;

    /** How many bytes a todo counts at least. With these the largest buffer takes about a quarter of the heap. */
    private static final int LEAST_BYTES = 256;

    /** How many reads the outcomes that cannot be written may have as bytes, if they are more than a few. */
    private static final int MOST_READS_ASIDE = 4;

    /** How many outcomes that cannot be written stop nothing, however large they are. */
    private static final int FEW_ASIDE = 8;

    private final int batchSize;
    private final long readBytes;
    private final Clock clock;
    private final QueuePermits permits;
    private final TodoLanes lanes;
    private final TodoEntries entries;
    private final Rereads rereads = new Rereads();

    /** Whether all lanes that are ready wait for permits. */
    private boolean heldBack;

    /** Whether the last read of all due todos has left some in the database. */
    private boolean leavesMore;

    /** The types and tenants without permits, of which todos were left in the database. */
    private final LeftWithoutPermit left;

    BufferedTodos(QueueSettings queue, TodoMode mode, Clock clock, QueuePermits permits) {
        this.batchSize = queue.batchSize();
        readBytes = queue.readBytes();
        this.clock = clock;
        this.permits = permits;
        entries = new TodoEntries(queue, permits.isLimited());
        lanes = new TodoLanes(mode, queue.limits().parallelKey(), rereads::refill);
        left = new LeftWithoutPermit(permits, lanes, clock, entries, readBytes);
    }

    TodoLanes lanes() {
        return lanes;
    }

    Rereads rereads() {
        return rereads;
    }

    /** Returns whether the loop must read all due todos again, and resets the request. */
    boolean takeReadsAgain() {
        boolean again = rereads.take();
        if (again) {
            left.clear();
        }
        return left.takeDue() || again;
    }

    /** Returns whether the todo runs, or was settled during the read. Another generation of it is read again later. */
    boolean isTaken(StoredTimer todo) {
        if (rereads.isOutdated(todo)) {
            return true;
        }
        Entry known = entries.of(todo.key());
        if (known != null && entries.isRunning(known)) {
            if (known.todo.generation() != todo.generation()) {
                known.superseded = true;
                rereads.drop(todo);
            }
            return true;
        }
        boolean hasEnded = rereads.hasEnded(todo);
        if (hasEnded) {
            rereads.drop(todo);
            rereads.request();
        }
        return hasEnded;
    }

    /** Adds the todos that were read. Returns those for which there was no room. */
    List<StoredTimer> admit(List<StoredTimer> read) {
        long nanos = clock.nanoTime();
        Predicate<StoredTimer> isLeft = left.beginAdmission();
        List<StoredTimer> refused = new ArrayList<>();
        for (StoredTimer todo : read) {
            boolean isNew = !entries.contains(todo.key());
            if ((isNew && isLeft.test(todo)) || !admit(todo, nanos)) {
                refused.add(todo);
            }
        }
        return refused;
    }

    void leavesMore(boolean more) {
        leavesMore = more;
    }

    /** Returns how many lanes have a todo that may run. */
    int readyCount() {
        return heldBack ? 0 : lanes.readyCount();
    }

    /** Returns whether all lanes that are ready wait for permits. */
    boolean isHeldBack() {
        return heldBack;
    }

    /** Tries lanes again that waited for permits. */
    void permitsChanged() {
        heldBack = false;
    }

    /** Returns whether a todo keeps an order with others. */
    boolean hasLane(StoredTimer todo) {
        return lanes.keyOf(todo) != null;
    }

    private boolean admit(StoredTimer todo, long nanos) {
        if (isTaken(todo)) {
            return true;
        }
        Entry known = entries.of(todo.key());
        if (known != null && known.todo.generation() == todo.generation() && TodoLane.isAtSamePlace(known.todo, todo)) {
            entries.replace(known, todo, nanos);
            return true;
        }
        if (known != null) {
            forget(known);
        }
        if (rereads.isAwaited(lanes.keyOf(todo))) {
            return false;
        }
        Entry entry = new Entry(lanes.of(todo), todo, nanos);
        if (!lanes.add(entry, entries.open() >= batchSize)) {
            return false;
        }
        heldBack = false;
        entries.add(entry);
        return true;
    }

    private void forget(Entry waiting) {
        entries.remove(waiting);
        lanes.remove(waiting);
    }

    /** Removes a waiting todo that a caller is cancelling. It is read again, in case the cancellation fails. */
    void forget(TimerKey key) {
        Entry entry = entries.of(key);
        if (entry == null) {
            return;
        }
        if (entries.isRunning(entry)) {
            // This step cannot be stopped any more, so the todo is read again before its next step.
            entry.superseded = true;
        } else {
            forget(entry);
            rereads.dropInPlace(entry);
            if (entry.lane.key != null) {
                // Those that come before it go on.
                dropWaiting(each ->
                        each.lane == entry.lane && !entry.lane.isResumed(each) && TodoLane.isAfter(each, entry));
            }
        }
    }

    /** Removes waiting todos that match. They are read again. */
    void dropWaiting(Predicate<Entry> which) {
        rereads.request();
        entries.waiting().filter(which).toList().forEach(each -> {
            rereads.dropInPlace(each);
            forget(each);
        });
    }

    /** Removes waiting todos of all shards but these. */
    void retain(Set<Integer> shards) {
        entries.waiting()
                .filter(each -> !shards.contains(each.todo.shard()))
                .toList()
                .forEach(each -> {
                    rereads.drop(each.todo);
                    forget(each);
                });
    }

    /**
     * Derives all from the todos that run or are not settled: each of these has an owner that will end it. The other
     * todos are read again. Called after an error between two changes.
     */
    void recover() {
        rereads.request();
        heldBack = false;
        left.keys().forget();
        entries.keepRunning(rereads::dropInPlace);
        lanes.keepOnly(entries.running());
        permits.keepOnly(timers ->
                entries.running().stream().filter(each -> each.holdsPermits).forEach(each -> timers.accept(each.todo)));
    }

    /**
     * Returns the next todo that may run, and marks it as running. Returns null if there is none.
     *
     * @param holder gets the todo before it is marked
     */
    @Nullable
    Entry begin(HeldTodo holder) {
        permits.beginPass(true);
        TodoLane lane = next();
        while (lane != null && !permits.tryBegin(lane.head())) {
            // The node has given up units since it was asked for them.
            lane = next();
        }
        if (lane == null) {
            heldBack = lanes.readyCount() > 0;
            return null;
        }
        holder.hold(Objects.requireNonNull(lane.next));
        Entry entry = lanes.begin(lane);
        entries.begin(entry);
        entry.holdsPermits = true;
        if (left.hasRoomAfter(entry.todo)) {
            rereads.request();
        }
        return entry;
    }

    private @Nullable TodoLane next() {
        TodoLane lane = lanes.first(this::mayBegin);
        // One time for all: in a lane of which a part is dropped, later todos would overtake earlier ones.
        long now = clock.nanoTime();
        if (lane != null && isStale(lane.readAtNanos(), now)) {
            keepTurn(LimitedTodos.tenantOf(lane.head()));
            dropWaiting(each -> isOutdated(each, now));
            lane = lanes.first(this::mayBegin);
        }
        return lane;
    }

    /**
     * Todos that share a lane are read again together, so that they keep their order. So are all, if the few that a
     * limit allows in the buffer take turns: those that stay would keep their places.
     */
    private boolean isOutdated(Entry waiting, long now) {
        TodoLane lane = waiting.lane;
        if (isStale(waiting.readAtNanos, now) || lane.isResumed(waiting)) {
            return isStale(waiting.readAtNanos, now);
        }
        return permits.isLimited() || lane.anyWaits(each -> isStale(each.readAtNanos, now));
    }

    /**
     * Makes the next read find a tenant, if it may be behind the backlog of others: otherwise these would begin first
     * each time.
     */
    private void keepTurn(String tenant) {
        Set<String> others = entries.largestTenants();
        others.remove(tenant);
        boolean hasBacklog = leavesMore || entries.open() >= batchSize || left.hasLeft();
        if (hasBacklog && !others.isEmpty() && lanes.mode() != TodoMode.SEQUENTIAL) {
            rereads.beginWithTurn(new Exclusion(Set.of(), others, entries.highestPriorityOr(Integer.MAX_VALUE)));
        }
    }

    private boolean mayBegin(TodoLane lane) {
        return permits.mayBegin(lane.head());
    }

    private static boolean isStale(long readAtNanos, long now) {
        return now - readAtNanos > FRESH_NANOS;
    }

    /**
     * Ends a run that is settled: the next todo of its lane may run, or its own next step. A run that has ended is left
     * alone: an owner whose last step broke off repeats it.
     *
     * @param mayResume whether its next step may run here at once
     */
    void settled(DoneTodo outcome, boolean mayResume) {
        Entry entry = outcome.entry();
        StoredTimer next = outcome.next();
        if (!entries.isRunning(entry)) {
            return;
        }
        if (next != null && mayResume && !entry.superseded) {
            end(entry, true);
            entries.replace(entry, next, clock.nanoTime());
            lanes.ended(entry, true);
            return;
        }
        if (entry.superseded || outcome.keepsPlace(clock.now())) {
            dropInPlace(entry);
        } else if (!outcome.isOver()) {
            rereads.drop(entry.todo);
        }
        remove(entry, outcome.isOver());
    }

    /** Ends a run without an outcome. Its todo is read again before the other todos of its lane run. */
    void dropped(Entry entry) {
        if (entries.isRunning(entry)) {
            dropInPlace(entry);
            remove(entry, false);
        }
    }

    /** Makes the loop read a todo again that no longer waits, with those that wait behind it. */
    private void dropInPlace(Entry entry) {
        rereads.dropInPlace(entry);
        dropWaiting(entry.lane);
    }

    private void dropWaiting(TodoLane lane) {
        for (Entry each : lane.waitingNow()) {
            rereads.dropInPlace(each);
            forget(each);
        }
    }

    private void remove(Entry entry, boolean isOver) {
        end(entry, isOver);
        entries.remove(entry);
        lanes.ended(entry, false);
    }

    private void end(Entry entry, boolean mustNotRunAgain) {
        rereads.ended(entry.todo, mustNotRunAgain);
        returnPermits(entry);
        heldBack = false;
        entries.end(entry);
        entry.holder = null;
    }

    /**
     * Notes that an outcome cannot be written now, perhaps for hours. The run has ended, so that others get its
     * permits. Its todo keeps its place in its lane, and the todos behind it leave the memory to others.
     *
     * @param bytes how much memory the outcome takes
     */
    void setAside(DoneTodo outcome, long bytes) {
        Entry entry = outcome.entry();
        if (!isRunOf(outcome) || entry.isAside) {
            return;
        }
        returnPermits(entry);
        entries.setAside(entry, bytes);
        TodoLane lane = entry.lane;
        lanes.setAside(entry);
        if (lane.isHeldUp() && lane.waiting() > 0) {
            lanes.truncate(lane);
            dropWaiting(lane);
        }
    }

    /** Returns whether so many outcomes cannot be written that nothing more is read. */
    boolean areTooManyAside() {
        return entries.aside() > SetAside.MOST || areHeavyAside();
    }

    /** Returns whether the outcomes that cannot be written have so many bytes that no further todo may run. */
    boolean areHeavyAside() {
        return entries.aside() > FEW_ASIDE && entries.asideBytes() > MOST_READS_ASIDE * readBytes;
    }

    /** Returns how many outcomes cannot be written now. */
    int aside() {
        return entries.aside();
    }

    /** Returns the generations whose outcome cannot be written now, by key. */
    Map<TimerKey, Long> generationsAside() {
        Map<TimerKey, Long> generations = new HashMap<>();
        for (Entry each : entries.running()) {
            if (each.isAside) {
                generations.put(each.todo.key(), each.todo.generation());
            }
        }
        return generations;
    }

    /** Gives back the permits of a todo whose run has ended, if it has not given them back. */
    private void returnPermits(Entry entry) {
        if (entry.holdsPermits) {
            permits.ended(entry.todo);
            entry.holdsPermits = false;
            heldBack = false;
        }
    }

    boolean isRunning(Entry entry) {
        return entries.isRunning(entry);
    }

    /** Returns whether the outcome is that of a run that has not ended. */
    boolean isRunOf(DoneTodo outcome) {
        return entries.isRunning(outcome.entry())
                && outcome.entry().todo.generation() == outcome.settlement().generation();
    }

    /** Returns the shards of todos that run or are not settled, without the given todos. */
    Set<Integer> runningShards(Set<TimerKey> without) {
        return entries.runningShards(without);
    }

    LeftWithoutPermit left() {
        return left;
    }

    TodoEntries entries() {
        return entries;
    }

    int size() {
        return entries.size();
    }

    /** Returns how many todos wait or run: all but those whose outcome cannot be written now. */
    int open() {
        return entries.open();
    }

    /** Returns how many bytes the todos have that reads return again. */
    long bytes() {
        return entries.openBytes();
    }

    /** Returns whether the workers have more than enough to run while more is read. */
    boolean hasPlenty() {
        return supply() > (long) AHEAD * batchSize || entries.openBytes() > MANY_READS * readBytes;
    }

    /** Returns whether the todos leave no memory for todos behind the backlog. */
    boolean isHeavy() {
        return memory() > MOST_READS * readBytes;
    }

    /** Returns whether the todos leave no memory for anything else. */
    boolean isVeryHeavy() {
        return memory() > MOST_READS_PRESENT * readBytes;
    }

    private long memory() {
        return entries.openBytes() + (long) LEAST_BYTES * entries.open();
    }

    /** Returns how many todos may run now or soon. Those without a permit leave room for others. */
    private long supply() {
        int all = lanes.supply();
        if (all <= AHEAD * batchSize || !permits.isLimited() || permits.isBlocked()) {
            return all;
        }
        return all - left.countWaiting();
    }
}

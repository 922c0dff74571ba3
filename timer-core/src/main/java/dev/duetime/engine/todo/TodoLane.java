package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The todos that run one at a time, or a few at a time, the oldest first. Guarded by the lock of its {@link
 * TodoBuffer}.
 */
final class TodoLane {
    private static final Comparator<StoredTimer> AGE = Comparator.comparing(StoredTimer::dueAt)
            .thenComparing(StoredTimer::registeredAt)
            .thenComparing(StoredTimer::key);

    private static final Comparator<Entry> OLDEST_FIRST =
            (one, other) -> one == other ? 0 : AGE.compare(one.todo, other.todo);

    /** At this part of its todos a lane that was full is filled again. */
    private static final int FEW = 4;

    /** The key of the lane; null for a lane of a single todo. */
    final @Nullable String key;

    private final TreeSet<Entry> waiting = new TreeSet<>(OLDEST_FIRST);

    /** The todos whose next steps run before all waiting todos. */
    private final Deque<Entry> resumed = new ArrayDeque<>();

    /** How many of its todos run, and how many may. */
    private int running;

    private final int most;

    /**
     * The todo that may run next. It gives the lane its place in the order. Null while as many run as may, or if
     * there is none.
     */
    @Nullable
    Entry next;

    /** How many of its todos are counted in the supply of {@link TodoLanes}. */
    int supplied;

    /** How many runs have ended and are about to be settled. */
    private int finishing;

    /** How many runs have ended with an outcome that cannot be written now. Until it is, they keep their places. */
    private int aside;

    /** Whether todos were read for which the lane had no room. */
    boolean truncated;

    /** How many todos may wait here at most when those are read. */
    private int refillsAt;

    /**
     * Creates an empty lane.
     *
     * @param most how many of its todos may run at once
     */
    TodoLane(@Nullable String key, int most) {
        this.key = key;
        this.most = most;
    }

    /**
     * Returns whether both have the same place in every order. The same generation has another place only if SQL moved
     * it.
     */
    static boolean isAtSamePlace(StoredTimer one, StoredTimer other) {
        return one.content().priority() == other.content().priority()
                && one.dueAt().equals(other.dueAt())
                && one.registeredAt().equals(other.registeredAt());
    }

    /** Returns the todo that may run next. There must be one. */
    StoredTimer head() {
        return Objects.requireNonNull(next).todo;
    }

    /** Returns the todo that should be next now. */
    @Nullable
    Entry first() {
        if (running >= most) {
            return null;
        }
        if (!resumed.isEmpty()) {
            return resumed.getFirst();
        }
        return waiting.isEmpty() ? null : waiting.first();
    }

    void add(Entry entry) {
        waiting.add(entry);
    }

    void remove(Entry entry) {
        if (!isResumed(entry) || !resumed.removeFirstOccurrence(entry)) {
            waiting.remove(entry);
        }
    }

    void resume(Entry entry) {
        resumed.addLast(entry);
    }

    /** Returns whether a todo comes after another one of its lane. */
    static boolean isAfter(Entry entry, Entry other) {
        return OLDEST_FIRST.compare(entry, other) > 0;
    }

    boolean isResumed(Entry entry) {
        return resumed.contains(entry);
    }

    /**
     * Notes that a todo was read for which the lane has no room.
     *
     * @param most how many todos of a lane are enough, however many wait here
     */
    void truncate(int most) {
        truncated = true;
        refillsAt = Math.min(most, waiting()) / FEW;
    }

    /** Returns whether it was full and has only few todos left. Then it is to be filled again. */
    boolean mayRefill() {
        return truncated && !isHeldUp() && waiting() <= refillsAt;
    }

    /** Returns whether as many of its todos run as may. */
    boolean isBusy() {
        return running >= most;
    }

    /** Returns whether none of its todos may begin before an outcome is written that cannot be written now. */
    boolean isHeldUp() {
        return aside >= most;
    }

    /** Returns whether its todos may run now, or as soon as the last run is settled. */
    boolean isSupply() {
        return next != null || finishing > 0;
    }

    /** Removes all todos, after an error between two changes. */
    void clear() {
        waiting.clear();
        resumed.clear();
        running = 0;
        next = null;
        supplied = 0;
        finishing = 0;
        aside = 0;
        truncated = false;
        refillsAt = 0;
    }

    /** Counts a todo that runs, after {@link #clear}. */
    void countRunning(Entry entry) {
        running++;
        entry.isFinishing = false;
        if (entry.isAside) {
            aside++;
        } else if (entry.holder == null) {
            finishing(entry);
        }
    }

    /** Notes that the run of a todo has ended, and is about to be settled. */
    void finishing(Entry entry) {
        entry.isFinishing = true;
        finishing++;
    }

    /** Notes that the outcome of a todo cannot be written now. */
    void setAside(Entry entry) {
        endFinishing(entry);
        aside++;
    }

    private void endFinishing(Entry entry) {
        finishing -= entry.isFinishing ? 1 : 0;
        entry.isFinishing = false;
    }

    /** Marks the next todo as running. */
    Entry begin() {
        Entry begun = Objects.requireNonNull(next);
        remove(begun);
        next = null;
        running++;
        return begun;
    }

    /** Ends the run of a todo. */
    void end(Entry entry) {
        running--;
        aside -= entry.isAside ? 1 : 0;
        entry.isAside = false;
        endFinishing(entry);
    }

    boolean isEmpty() {
        return running == 0 && size() == 0;
    }

    int waiting() {
        return waiting.size();
    }

    /** Returns the todos that wait, without those that continue with their next step. */
    List<Entry> waitingNow() {
        return List.copyOf(waiting);
    }

    /** Returns whether a todo waits that matches, also among those that continue with their next step. */
    boolean anyWaits(Predicate<Entry> which) {
        return waiting.stream().anyMatch(which) || resumed.stream().anyMatch(which);
    }

    /** Returns how many todos wait to run, including the one that continues with its next step. */
    int size() {
        return waiting.size() + resumed.size();
    }

    /** Returns when the next todo was read. */
    long readAtNanos() {
        return Objects.requireNonNull(next).readAtNanos;
    }

    /** One todo in memory. */
    static final class Entry {
        final TodoLane lane;
        StoredTimer todo;
        long readAtNanos;

        /** Whether it counts for the limits of its queue and type. */
        boolean holdsPermits;

        /** Whether its run has ended, and is about to be settled. */
        boolean isFinishing;

        /** Whether its run has ended with an outcome that cannot be written now. */
        boolean isAside;

        /** How many bytes it counts for. */
        long bytes;

        /** The group in which it is counted among those that wait; null if it is not. */
        TodoEntries.@Nullable Group group;

        /** Whether another generation of it was read while this one ran. */
        boolean superseded;

        /** The worker that runs it; null if it waits, or has an outcome that is not settled. */
        @Nullable
        HeldTodo holder;

        Entry(TodoLane lane, StoredTimer todo, long readAtNanos) {
            this.lane = lane;
            this.todo = todo;
            this.readAtNanos = readAtNanos;
        }
    }

    /**
     * The todo that a worker holds. It is held before it is marked as running, and until it has an outcome or has been
     * given back. So a todo that runs always has an owner, also if an error breaks off a step in between. Used by the
     * worker's thread.
     */
    static final class HeldTodo {
        private @Nullable Entry entry;
        private @Nullable StoredTimer todo;

        /** Holds a todo. The caller has the lock of the {@link TodoBuffer}. */
        void hold(Entry begun) {
            entry = begun;
            todo = begun.todo;
            begun.holder = this;
        }

        /** Returns the todo that was taken last, or null. Others may own it by now. */
        @Nullable
        Entry entry() {
            return entry;
        }

        /** Returns the state of the todo when it was taken. */
        StoredTimer todo() {
            return Objects.requireNonNull(todo);
        }

        void forget() {
            entry = null;
            todo = null;
        }
    }
}

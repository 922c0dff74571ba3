package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import java.util.Comparator;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The todos that run one at a time, the oldest first. Guarded by the lock of its {@link TodoBuffer}. */
final class TodoLane {
    private static final Comparator<StoredTimer> AGE = Comparator.comparing(StoredTimer::dueAt)
            .thenComparing(StoredTimer::registeredAt)
            .thenComparing(StoredTimer::key);

    private static final Comparator<Entry> OLDEST_FIRST =
            (one, other) -> one == other ? 0 : AGE.compare(one.todo, other.todo);

    /** The key of the lane; null for a lane of a single todo. */
    final @Nullable String key;

    private final TreeSet<Entry> waiting = new TreeSet<>(OLDEST_FIRST);

    /** The todo whose next step runs before all waiting todos. */
    private @Nullable Entry resumed;

    @Nullable
    Entry running;

    /**
     * The todo that may run next. It gives the lane its place in the order. Null while a todo runs, or if there is
     * none.
     */
    @Nullable
    Entry next;

    /** How many of its todos are counted in the supply of {@link TodoLanes}. */
    int supplied;

    /** Whether the last run has ended but is not settled. */
    boolean finishing;

    /** Whether todos were read for which the lane had no room. */
    boolean truncated;

    TodoLane(@Nullable String key) {
        this.key = key;
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
        if (running != null) {
            return null;
        }
        return resumed != null || waiting.isEmpty() ? resumed : waiting.first();
    }

    void add(Entry entry) {
        waiting.add(entry);
    }

    void remove(Entry entry) {
        if (resumed == entry) {
            resumed = null;
        } else {
            waiting.remove(entry);
        }
    }

    void resume(Entry entry) {
        resumed = entry;
    }

    boolean isResumed(Entry entry) {
        return resumed == entry;
    }

    /** Marks the next todo as running. */
    Entry begin() {
        Entry begun = Objects.requireNonNull(next);
        remove(begun);
        next = null;
        running = begun;
        return begun;
    }

    boolean isEmpty() {
        return running == null && size() == 0;
    }

    int waiting() {
        return waiting.size();
    }

    /** Returns how many todos wait to run, including the one that continues with its next step. */
    int size() {
        return waiting.size() + (resumed != null ? 1 : 0);
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

        /** Whether another generation of it was read while this one ran. */
        boolean superseded;

        Entry(TodoLane lane, StoredTimer todo, long readAtNanos) {
            this.lane = lane;
            this.todo = todo;
            this.readAtNanos = readAtNanos;
        }
    }
}

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

    /** What it is known by; null for a lane of one todo alone. */
    final @Nullable String key;

    private final TreeSet<Entry> waiting = new TreeSet<>(OLDEST_FIRST);

    /** Goes on before all that wait: its next step. */
    private @Nullable Entry resumed;

    @Nullable
    Entry running;

    /** What may run next, by which it has its place in the order; null while one runs, or if there is none. */
    @Nullable
    Entry next;

    /** How many of its todos the workers are said to have before them. */
    int supplied;

    /** Whether what ran is over and not settled. */
    boolean finishing;

    /** Whether more was read than it holds. */
    boolean truncated;

    TodoLane(@Nullable String key) {
        this.key = key;
    }

    /**
     * Returns whether one may stand for the other in any order; the same generation is at another place only if SQL
     * moved it.
     */
    static boolean isAtSamePlace(StoredTimer one, StoredTimer other) {
        return one.content().priority() == other.content().priority()
                && one.dueAt().equals(other.dueAt())
                && one.registeredAt().equals(other.registeredAt());
    }

    /** Returns what may run next; there must be something. */
    StoredTimer head() {
        return Objects.requireNonNull(next).todo;
    }

    /** Returns what is to be next by now. */
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

    /** Runs what is next. */
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

    /** Returns how many are to run, the next step of the one that goes on among them. */
    int size() {
        return waiting.size() + (resumed != null ? 1 : 0);
    }

    /** Returns when what would run next was read. */
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

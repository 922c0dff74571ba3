package dev.duetime.engine;

import dev.duetime.StoredTimer;
import java.util.Comparator;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Holds todos that run one at a time, the oldest first. Guarded by the lock of its {@link TodoBuffer}. */
final class TodoLane {
    private static final Comparator<Entry> OLDEST_FIRST = Comparator.comparing(
            each -> each.todo,
            Comparator.comparing(StoredTimer::dueAt)
                    .thenComparing(StoredTimer::registeredAt)
                    .thenComparing(StoredTimer::key));

    /** What it is known by; null for a lane of one todo alone. */
    final @Nullable String key;

    private final TreeSet<Entry> waiting = new TreeSet<>(OLDEST_FIRST);

    /** Goes on before all that wait: its next step. */
    private @Nullable Entry resumed;

    @Nullable
    Entry running;

    /** Whether it is among those of which a todo may run. */
    boolean ready;

    /** Whether what ran is over and not settled. */
    boolean finishing;

    /** Whether more was read than it holds. */
    boolean truncated;

    TodoLane(@Nullable String key) {
        this.key = key;
    }

    /** Returns what would run next; there must be something. */
    StoredTimer head() {
        return resumed != null ? resumed.todo : waiting.first().todo;
    }

    void add(Entry entry) {
        waiting.add(entry);
    }

    void remove(Entry entry) {
        waiting.remove(entry);
        resumed = resumed == entry ? null : resumed;
    }

    void resume(Entry entry) {
        resumed = entry;
    }

    boolean isResumed(Entry entry) {
        return resumed == entry;
    }

    /** Takes out what runs next. */
    Entry begin() {
        Entry next = resumed != null ? resumed : Objects.requireNonNull(waiting.pollFirst());
        resumed = null;
        running = next;
        return next;
    }

    boolean hasNext() {
        return resumed != null || !waiting.isEmpty();
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
        return resumed != null ? resumed.readAtNanos : waiting.first().readAtNanos;
    }

    /** Is one todo in memory. */
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

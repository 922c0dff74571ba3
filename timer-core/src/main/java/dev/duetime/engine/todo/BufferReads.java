package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.looks.BacklogLooks;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.todo.TodoMode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link TodoBuffer} tells the plan of the queue's reads, and what it learns from each read. Thread-safe: all is
 * done under the lock of the buffer.
 */
final class BufferReads {
    private final TodoBuffer buffer;

    // Mutable state, guarded by the lock of the buffer.
    private final BufferedTodos todos;

    BufferReads(TodoBuffer buffer, BufferedTodos todos) {
        this.buffer = buffer;
        this.todos = todos;
    }

    /** Begins a read: it may still show the former state of todos that are settled from now on. */
    void beginRead() {
        buffer.changing(todos.rereads()::beginRead);
    }

    /** Returns whether todos were removed that may be due, and resets that. */
    boolean takeReadsAgain() {
        return buffer.waking(todos::takeReadsAgain);
    }

    /** Takes the todos that are no longer here although they may be due. */
    List<StoredTimer> takeDropped() {
        return buffer.waking(() -> {
            List<StoredTimer> dropped = todos.rereads().takeDropped();
            todos.left().dropped(dropped);
            return dropped;
        });
    }

    /** Returns the exclusions of a read: the parallel keys whose lanes are full, and what was left. */
    Exclusion fullLanes(Set<Integer> shards) {
        return buffer.waking(() -> todos.left().beginRead(todos.lanes().fullKeys(), shards));
    }

    /**
     * Returns the exclusions of a look behind a backlog: full lanes, and todos of busy tenants that are no more urgent
     * than the waiting ones.
     *
     * @param looks which other tenants to leave out in the same way
     */
    Exclusion backlog(BacklogLooks looks) {
        return buffer.waking(() -> behind(looks, looks.leftOut()));
    }

    /**
     * Returns the exclusions of a look at the present.
     *
     * @param looks which tenants have the backlog, to be left out
     * @param more others to leave out
     */
    Exclusion present(BacklogLooks looks, Set<String> more) {
        return buffer.waking(() -> {
            Set<String> tenants = new HashSet<>(looks.atFront());
            tenants.addAll(more);
            return behind(looks, tenants);
        });
    }

    private Exclusion behind(BacklogLooks looks, Set<String> others) {
        Set<String> tenants = todos.entries().busyTenants();
        tenants.addAll(others);
        tenants.addAll(todos.left().tenants());
        int waiting = todos.entries().highestPriorityOr(looks.highestPriority());
        return new Exclusion(behindKeys(), todos.left().types(), tenants, Math.max(looks.inVain(), waiting));
    }

    private Set<String> behindKeys() {
        Set<String> keys = todos.left().beginBehind();
        keys.addAll(todos.lanes().fullKeys());
        return keys;
    }

    /**
     * Returns the exclusions of a look behind the backlog of one of the types of which todos were left; null if there
     * is none.
     */
    @Nullable
    Exclusion backlogOfType() {
        return buffer.waking(() -> todos.left().types().isEmpty()
                ? null
                : todos.left().beginLook(todos.lanes().fullKeys()));
    }

    /** Returns the exclusions of a read that goes on where others have come furthest: full lanes, and what was left. */
    Exclusion further() {
        return buffer.waking(() ->
                new Exclusion(behindKeys(), todos.left().types(), todos.left().tenants(), Integer.MAX_VALUE));
    }

    /** Begins a look for the tenant whose turn it is. Returns what it leaves out; null if none is looked for. */
    @Nullable
    Exclusion takeTurn() {
        return buffer.waking(() -> {
            Exclusion turn = todos.rereads().takeTurn();
            return turn == null ? null : new Exclusion(behindKeys(), turn.tenants(), turn.upTo());
        });
    }

    /** Returns the tenants of todos that are no longer here although they may be due. */
    Set<String> droppedTenants() {
        return buffer.waking(() -> todos.rereads().droppedTenants());
    }

    /** Returns whether todos of a type were left in the database. */
    boolean leavesTypes() {
        return buffer.waking(() -> !todos.left().types().isEmpty());
    }

    /** Returns whether the queue keeps the order of all its todos. */
    boolean isSequential() {
        return todos.lanes().mode() == TodoMode.SEQUENTIAL;
    }

    /** Notes whether a read of all due todos has left some in the database. */
    void leavesMore(boolean more) {
        buffer.changing(() -> todos.leavesMore(more));
    }

    /** Returns from when on the next read makes more parallel keys known; null if it is a usual one. */
    @Nullable
    Instant learnsFrom() {
        return buffer.waking(
                () -> todos.left().keys().learns() ? todos.left().keys().learnsFrom() : null);
    }

    /**
     * Notes where a read of due todos begins.
     *
     * @param all whether it includes all of them, as far as earlier reads have not
     */
    void readsFrom(Instant from, boolean all) {
        buffer.changing(() -> {
            todos.left().keys().readsFrom(from);
            if (all) {
                todos.rereads().readsAll();
            }
        });
    }

    /** Returns whether to read again at once, because the last or next read makes more parallel keys known. */
    boolean readsForKeys() {
        return buffer.waking(() -> todos.left().keys().readsAtOnce());
    }

    /** Returns whether todos wait until more parallel keys are known. */
    boolean waitsForKeys() {
        return buffer.waking(() -> todos.left().keys().areWanted());
    }

    /**
     * Notes a read up to a time, after its todos were admitted.
     *
     * @param left those that are not here
     * @param tookNanos how long it took
     */
    void read(DueTimers read, Instant to, List<StoredTimer> left, long tookNanos) {
        buffer.changing(() -> {
            todos.left().read(read, to, left, tookNanos);
            todos.rereads().endRead();
        });
    }

    /** Notes that a todo is due at that time which may be new. */
    void announced(Instant dueAt) {
        buffer.changing(() -> todos.left().keys().announced(dueAt));
    }

    /** Forgets what is known of parallel keys, after a turn of the loop broke off. */
    void forgetKeys() {
        buffer.changing(() -> todos.left().keys().forget());
    }

    /** Returns how many outcomes cannot be written now. Reads return their todos again. */
    int aside() {
        return buffer.waking(todos::aside);
    }

    /** Returns the generations whose outcome cannot be written now, by key. */
    Map<TimerKey, Long> generationsAside() {
        return buffer.waking(todos::generationsAside);
    }

    /** Returns how many bytes the other todos have that reads return again. */
    long bytes() {
        return buffer.waking(todos::bytes);
    }

    /** Returns whether the todos leave no memory for todos behind the backlog. */
    boolean isHeavy() {
        return buffer.waking(todos::isHeavy);
    }

    /** Returns whether the todos leave no memory for anything else. */
    boolean isVeryHeavy() {
        return buffer.waking(todos::isVeryHeavy);
    }

    /** Removes waiting todos of all shards but these. */
    void retain(Set<Integer> shards) {
        buffer.changing(() -> todos.retain(shards));
    }
}

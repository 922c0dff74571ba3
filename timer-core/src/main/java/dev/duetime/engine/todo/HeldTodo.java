package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.todo.TodoLane.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The todo that a worker holds. It is held before it is marked as running, and until it has an outcome or has been
 * given back. So a todo that runs always has an owner, also if an error breaks off a step in between. Used by the
 * worker's thread.
 */
final class HeldTodo {
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

package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import java.util.ArrayList;
import java.util.List;

/**
 * What the queue's loop must read again: todos that are due and no longer in memory. Guarded by the lock of its {@link
 * TodoBuffer}.
 */
final class Rereads {
    private final List<StoredTimer> dropped = new ArrayList<>();
    private boolean requested;

    /** Makes the loop read all due todos again. */
    void request() {
        requested = true;
    }

    /** Notes a todo that is no longer in memory although it may be due. */
    void drop(StoredTimer todo) {
        dropped.add(todo);
    }

    /** Returns whether the loop must read all due todos again. */
    boolean isRequested() {
        return requested;
    }

    /** Returns whether the loop must read all due todos again, and resets the request. */
    boolean take() {
        boolean again = requested;
        requested = false;
        return again;
    }

    /** Takes the todos that are no longer in memory although they may be due. */
    List<StoredTimer> takeDropped() {
        List<StoredTimer> taken = List.copyOf(dropped);
        dropped.clear();
        return taken;
    }
}

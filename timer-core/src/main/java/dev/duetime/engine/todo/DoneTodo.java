package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A todo that ran, with its outcome.
 *
 * @param entry which
 * @param settlement what is to be written down
 * @param next how it stands then if it goes on at once; null if it does not
 */
record DoneTodo(
        Entry entry, Settlement settlement, @Nullable StoredTimer next) {

    /** Returns the same, but that it does not go on here. */
    DoneTodo stopped() {
        return next == null ? this : new DoneTodo(entry, settlement, null);
    }

    /** Returns whether it never runs again. */
    boolean isOver() {
        return settlement instanceof Settlement.Ended || settlement instanceof Settlement.Deleted;
    }

    /** Returns when it runs again, if it is read again for that; else {@link Instant#MAX}. */
    Instant readAt() {
        if (next != null) {
            return Instant.MAX;
        }
        if (settlement instanceof Settlement.Retried retried) {
            return retried.wakeAt();
        }
        if (settlement instanceof Settlement.Moved moved) {
            return moved.dueAt();
        }
        return settlement instanceof Settlement.Advanced advanced
                ? Objects.requireNonNullElse(advanced.next().wakeAt(), Instant.MAX)
                : Instant.MAX;
    }
}

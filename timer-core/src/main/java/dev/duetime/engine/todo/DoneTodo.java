package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.settle.OutcomeBytes;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A todo that ran, with its outcome.
 *
 * @param entry the todo in the buffer
 * @param settlement the outcome to write
 * @param next the todo at its next step, if that step runs here at once; else null
 */
record DoneTodo(
        Entry entry, Settlement settlement, @Nullable StoredTimer next) {

    /** Returns the same outcome, after which the next step does not run here at once. */
    DoneTodo stopped() {
        return next == null ? this : new DoneTodo(entry, settlement, null);
    }

    /**
     * Returns the outcome as it is kept until it can be written: without what is not written of its next step, which
     * does not run here at once.
     */
    DoneTodo kept() {
        if (settlement instanceof Settlement.Advanced advanced && !advanced.withPayload()) {
            StoredTimer place =
                    StoredTimers.withoutContent(advanced.next(), advanced.next().failure());
            return new DoneTodo(entry, new Settlement.Advanced(advanced.generation(), place, false), null);
        }
        return stopped();
    }

    /** Returns about how many bytes of payloads and errors it will write. */
    long bytes() {
        return OutcomeBytes.of(settlement);
    }

    /** Returns whether it never runs again. */
    boolean isOver() {
        return settlement instanceof Settlement.Ended || settlement instanceof Settlement.Deleted;
    }

    /**
     * Returns whether the todo is due, and comes before later ones of its lane also if it does not run on here: it has
     * a next step, or its run was no attempt. One that waits for a retry does not.
     */
    boolean keepsPlace(Instant now) {
        if (next != null) {
            return true;
        }
        if (settlement instanceof Settlement.Retried retried) {
            return retried.attempt() == entry.todo.attempt()
                    && !retried.wakeAt().isAfter(now);
        }
        Instant place = entry.todo.wakeAt();
        return settlement instanceof Settlement.Advanced advanced
                && place != null
                && place.equals(advanced.next().wakeAt());
    }

    /** Returns when the todo must be read again for its next run; {@link Instant#MAX} if never. */
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

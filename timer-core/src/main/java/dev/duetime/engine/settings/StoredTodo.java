package dev.duetime.engine.settings;

import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.todo.Todo;
import java.util.Objects;

/** The step from a stored timer to the todo that a handler or a merge sees. */
final class StoredTodo {
    private StoredTodo() {}

    /**
     * Returns the todo that a timer of a todo queue is.
     *
     * @param type the class of its payload
     * @throws NullPointerException if the timer has no step, so that it is no todo
     * @throws dev.duetime.PayloadException if the payload is no such object
     */
    static <T> Todo<T> read(StoredTimer stored, Class<T> type) {
        TimerContent content = stored.content();
        return new Todo<>(
                stored.key(),
                content.type(),
                content.payload().as(type),
                Objects.requireNonNull(content.step(), "step"),
                content.dueAt(),
                content.expiresAt(),
                content.priority(),
                content.parallelKey(),
                content.correlationKey(),
                content.correlationId(),
                content.headers(),
                stored.attempt(),
                stored.registeredAt());
    }
}

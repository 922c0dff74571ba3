package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.ScheduleResult;
import java.util.Collection;
import java.util.List;

/**
 * The calls that enqueue todos: a {@link TodoQueue}, or its view inside a transaction of the caller's. As thread-safe
 * as the object that it was obtained from.
 */
@Beta
public interface Todos {
    /**
     * Stores a todo, durably: when the call returns it runs even if the process dies. Inside a caller's transaction it
     * is durable when that commits.
     *
     * @return what was done: {@code CREATED}; {@code UNCHANGED} or {@code IGNORED} if its id is taken; {@code MERGED}
     *     or {@code DROPPED} with the key of the todo that waited, by the {@link Merge} of its type
     * @throws IllegalArgumentException if its type is not one of the queue's, or its payload is larger than the limit
     * @throws dev.duetime.PayloadException if its payload cannot be encoded
     * @throws dev.duetime.TimerExpiredException if its deadline has passed
     * @throws dev.duetime.StoreException if the database failed; with an id of the caller's, repeating the call is safe
     * @throws RuntimeException if the merge throws
     */
    default ScheduleResult enqueue(NewTodo todo) {
        return enqueueAll(List.of(todo)).get(0);
    }

    /**
     * Stores all todos or none; otherwise as {@link #enqueue}. Those without a start date get the same one. Todos with
     * the same start date have no order.
     *
     * @return what was done with each, in the given order
     */
    List<ScheduleResult> enqueueAll(Collection<NewTodo> todos);
}

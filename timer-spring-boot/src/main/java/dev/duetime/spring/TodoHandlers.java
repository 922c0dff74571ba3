package dev.duetime.spring;

import dev.duetime.todo.StepHandler;
import dev.duetime.todo.TodoQueue;

/**
 * The methods with {@link OnTodo}, from which an application builds its todo queues:
 *
 * <pre>{@code
 * @Bean
 * TodoQueue mails(TodoHandlers handlers) {
 *     return handlers.queue("mails").workers(4).build();
 * }
 * }</pre>
 *
 * <p>A bean of this type is always there. It creates none of the beans that have the methods. Thread-safe.
 */
public interface TodoHandlers {

    /**
     * Begins a queue with a type for each method that has its name. Further types may be added.
     *
     * @throws IllegalArgumentException as {@link TodoQueue#builder}
     */
    TodoQueue.Builder queue(String name);

    /**
     * Returns the method of one type as a handler, for a type that needs settings of its own:
     *
     * <pre>{@code
     * TodoQueue.builder("likes")
     *         .type("count", Integer.class, handlers.handler("likes", "count", Integer.class),
     *                 type -> type.merge(Merge.collect(Integer::sum)))
     * }</pre>
     *
     * @throws IllegalStateException if there is no such method, or its payload has another class
     */
    <T> StepHandler<T> handler(String queue, String type, Class<T> payload);
}

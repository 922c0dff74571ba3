/**
 * Durable todo queues: {@link dev.duetime.todo.TodoQueue} runs what is {@linkplain dev.duetime.todo.NewTodo enqueued}
 * by handlers in process, step by step, each step durable before the next begins. Builds upon the scheduler; nothing
 * builds upon it.
 */
@NullMarked
package dev.duetime.todo;

import org.jspecify.annotations.NullMarked;

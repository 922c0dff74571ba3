/**
 * Todo queues: durable work that handlers run in this process. {@linkplain dev.duetime.todo.NewTodo A todo} runs step
 * by step, and each step is durable before the next one begins.
 */
@NullMarked
package dev.duetime.todo;

import org.jspecify.annotations.NullMarked;

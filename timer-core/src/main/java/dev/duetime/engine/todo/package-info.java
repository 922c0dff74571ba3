/** Delivery to handlers of todos: lanes by key, workers, time limits. */
@NullMarked
package dev.duetime.engine.todo;

import org.jspecify.annotations.NullMarked;

/** Delivery to handlers: lanes, workers, time limits. */
@NullMarked
package dev.duetime.engine.todo;

import org.jspecify.annotations.NullMarked;

/** Handlers of timers by their type. */
@NullMarked
package dev.duetime.specification.handlers;

import org.jspecify.annotations.NullMarked;

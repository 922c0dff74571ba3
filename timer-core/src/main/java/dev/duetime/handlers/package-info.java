/** Handlers of timers in this process, by their type, once or again and again. */
@NullMarked
package dev.duetime.handlers;

import org.jspecify.annotations.NullMarked;

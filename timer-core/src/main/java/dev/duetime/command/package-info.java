/** Commands in JSON that schedule timers from outside. */
@NullMarked
package dev.duetime.command;

import org.jspecify.annotations.NullMarked;

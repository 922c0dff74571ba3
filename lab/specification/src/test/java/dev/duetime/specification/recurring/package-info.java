/** Recurring timers. */
@NullMarked
package dev.duetime.specification.recurring;

import org.jspecify.annotations.NullMarked;

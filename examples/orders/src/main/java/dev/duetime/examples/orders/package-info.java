/** Cancels orders that are not paid in time, by a to-do list and the passage of time. */
@NullMarked
package dev.duetime.examples.orders;

import org.jspecify.annotations.NullMarked;

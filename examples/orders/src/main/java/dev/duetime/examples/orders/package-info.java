/** Cancels orders that are not paid in time, with a to-do list that is checked every minute. */
@NullMarked
package dev.duetime.examples.orders;

import org.jspecify.annotations.NullMarked;

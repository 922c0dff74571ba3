/** How a timer recurs. */
@NullMarked
package dev.duetime.recurrence;

import org.jspecify.annotations.NullMarked;

/** How a timer recurs: by a duration, by the calendar or by cron, and what happens to missed occurrences. */
@NullMarked
package dev.duetime.recurrence;

import org.jspecify.annotations.NullMarked;

/** How timers are scheduled and settled: by arrays, by rows, by batches. */
@NullMarked
package dev.duetime.jdbc.internal.write;

import org.jspecify.annotations.NullMarked;

/** Writes schedules and outcomes, in the way that suits the database: by arrays, by rows or by batches. */
@NullMarked
package dev.duetime.jdbc.internal.write;

import org.jspecify.annotations.NullMarked;

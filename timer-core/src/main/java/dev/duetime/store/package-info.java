/**
 * The interfaces between the engine and a database, for authors of stores. {@link dev.duetime.store.ScheduleStore} has
 * a part for callers, one for the engine's loops, one for leases and one for operators. The records are their arguments
 * and results.
 */
@NullMarked
package dev.duetime.store;

import org.jspecify.annotations.NullMarked;

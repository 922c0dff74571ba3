/**
 * The port to a database, for authors of stores: {@link dev.duetime.store.ScheduleStore} and its parts for callers, for
 * the engine's loops, for leases and for operators, and the records that cross them.
 */
@NullMarked
package dev.duetime.store;

import org.jspecify.annotations.NullMarked;

/**
 * The port to a database: {@link dev.duetime.store.ScheduleStore} for timers, {@link dev.duetime.store.ShardLeases} for
 * ownership, and the records that cross them. Depends on the vocabulary of {@code dev.duetime} only.
 */
@NullMarked
package dev.duetime.store;

import org.jspecify.annotations.NullMarked;

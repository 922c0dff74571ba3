/**
 * The engine: owns shards, reads what is due, delivers, settles, waits. Not exported; {@code Scheduler} is its face.
 */
@NullMarked
package dev.duetime.engine;

import org.jspecify.annotations.NullMarked;

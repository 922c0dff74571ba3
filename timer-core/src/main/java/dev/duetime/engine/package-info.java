/**
 * The engine: it puts the parts of a node together, which own shards, read due timers, deliver, settle and wait. Not
 * exported; users call it through {@code Scheduler}.
 */
@NullMarked
package dev.duetime.engine;

import org.jspecify.annotations.NullMarked;

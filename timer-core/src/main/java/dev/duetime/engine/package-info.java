/**
 * The engine of one node. It connects the parts that own shards, read due timers, deliver them and settle the
 * deliveries. Not exported; users call it through {@code Scheduler}.
 */
@NullMarked
package dev.duetime.engine;

import org.jspecify.annotations.NullMarked;

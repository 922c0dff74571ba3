/**
 * The operations of operators, the guard between cancel and delivery, and housekeeping: deletes ended timers, samples
 * queues.
 */
@NullMarked
package dev.duetime.engine.operate;

import org.jspecify.annotations.NullMarked;

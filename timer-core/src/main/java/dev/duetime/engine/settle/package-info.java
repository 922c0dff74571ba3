/**
 * The outcomes of deliveries: decides what each one changes in the row, writes it, and tracks which timers are in
 * delivery.
 */
@NullMarked
package dev.duetime.engine.settle;

import org.jspecify.annotations.NullMarked;

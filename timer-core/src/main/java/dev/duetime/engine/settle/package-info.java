/** The outcomes of deliveries: what each one means for the row, and the settler that writes them. */
@NullMarked
package dev.duetime.engine.settle;

import org.jspecify.annotations.NullMarked;

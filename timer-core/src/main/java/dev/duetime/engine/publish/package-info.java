/** Delivery to a publisher: batches, search for the poison envelope. */
@NullMarked
package dev.duetime.engine.publish;

import org.jspecify.annotations.NullMarked;

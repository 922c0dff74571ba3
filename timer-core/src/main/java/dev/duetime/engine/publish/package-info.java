/** Delivery to a publisher: sorts due timers, publishes them in batches, and isolates envelopes that fail. */
@NullMarked
package dev.duetime.engine.publish;

import org.jspecify.annotations.NullMarked;

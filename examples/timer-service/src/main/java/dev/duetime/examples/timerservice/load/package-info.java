/** Measures the timer service as real processes: NATS, the service, and a sender that counts. */
@NullMarked
package dev.duetime.examples.timerservice.load;

import org.jspecify.annotations.NullMarked;

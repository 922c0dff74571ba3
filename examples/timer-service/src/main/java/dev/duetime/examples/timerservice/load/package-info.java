/**
 * Measures the timer service under load, with NATS and the service as real processes, and checks that nothing is lost.
 */
@NullMarked
package dev.duetime.examples.timerservice.load;

import org.jspecify.annotations.NullMarked;

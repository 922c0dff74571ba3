/**
 * Takes {@code ScheduleTimer} commands from NATS JetStream, keeps them in a database and publishes each event at its
 * time.
 */
@NullMarked
package dev.duetime.examples.timerservice;

import org.jspecify.annotations.NullMarked;

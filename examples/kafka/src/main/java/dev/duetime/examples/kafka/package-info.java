/** Publishes to Kafka with an idempotent producer, and uses the scheduler as a transactional outbox. */
@NullMarked
package dev.duetime.examples.kafka;

import org.jspecify.annotations.NullMarked;

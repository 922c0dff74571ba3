/** Publishes to RabbitMQ with confirms, and consumes with an inbox table. */
@NullMarked
package dev.duetime.examples.rabbitmq;

import org.jspecify.annotations.NullMarked;

package dev.duetime.examples.springboot;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Is what the properties say of orders.
 *
 * @param paymentTimeout how long an order waits for its payment
 */
@ConfigurationProperties("orders")
record OrdersProperties(Duration paymentTimeout) {}

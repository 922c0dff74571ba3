package dev.duetime.examples.springboot;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of orders.
 *
 * @param paymentTimeout how long an order waits for its payment
 */
@ConfigurationProperties("orders")
record OrdersProperties(Duration paymentTimeout) {}

package dev.duetime.examples.springboot;

/** Is what the timer of a payment carries. */
record PaymentTimeout(String orderId) {}

package dev.duetime.examples.springboot;

/** The payload of the timer of a payment. */
record PaymentTimeout(String orderId) {}

package dev.duetime.examples.micronaut;

/** The payload of the timer of a payment. */
record PaymentTimeout(String orderId) {
    static final String TYPE = "payment-timeout";
}

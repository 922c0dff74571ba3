package dev.duetime.examples.orders;

import java.time.Duration;

/** An event of an order. */
public sealed interface OrderEvent {

    /**
     * The order was placed.
     *
     * @param timeToPay how long it may take until it is paid
     */
    record Initiated(Duration timeToPay) implements OrderEvent {}

    /**
     * The event that the order was paid.
     *
     * @param cents how much
     */
    record PaymentRecorded(long cents) implements OrderEvent {}

    /** The event that the order was delivered. It ends the order. */
    record Completed() implements OrderEvent {}

    /** The event that the order was not paid in time. It ends the order. */
    record Cancelled() implements OrderEvent {}
}

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
     * It was paid.
     *
     * @param cents how much
     */
    record PaymentRecorded(long cents) implements OrderEvent {}

    /** It was delivered, which ends it. */
    record Completed() implements OrderEvent {}

    /** It was not paid in time, which ends it. */
    record Cancelled() implements OrderEvent {}
}

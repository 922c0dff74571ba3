package dev.duetime.examples.orders;

import dev.duetime.examples.orders.OrderEvent.Cancelled;
import dev.duetime.examples.orders.OrderEvent.Completed;
import dev.duetime.examples.orders.OrderEvent.Initiated;
import dev.duetime.examples.orders.OrderEvent.PaymentRecorded;
import java.time.Duration;
import java.util.List;

/**
 * An order, computed from its events. It decides what may happen next, and knows neither time nor database. Each
 * decision returns the new events. If the decision was already made, it returns none, so a repeat does no harm.
 *
 * @param id the id
 * @param status the status
 * @param version how many events it has
 */
public record Order(String id, Status status, int version) {

    /** The progress of an order. */
    public enum Status {
        /** No event of the order is known. */
        UNKNOWN,
        /** Waits for its payment. */
        INITIATED,
        /** Was paid in time. */
        PAID,
        /** Was delivered. */
        COMPLETED,
        /** Was not paid in time. */
        CANCELLED
    }

    static Order unknown(String id) {
        return new Order(id, Status.UNKNOWN, 0);
    }

    /** Returns the order after one more event. */
    Order after(OrderEvent event) {
        Status next = status;
        if (event instanceof Initiated) {
            next = Status.INITIATED;
        } else if (event instanceof PaymentRecorded) {
            next = Status.PAID;
        } else if (event instanceof Completed) {
            next = Status.COMPLETED;
        } else if (event instanceof Cancelled) {
            next = Status.CANCELLED;
        }
        return new Order(id, next, version + 1);
    }

    List<OrderEvent> initiate(Duration timeToPay) {
        return status == Status.UNKNOWN ? List.of(new Initiated(timeToPay)) : List.of();
    }

    List<OrderEvent> recordPayment(long cents) {
        return switch (status) {
            case INITIATED -> List.of(new PaymentRecorded(cents));
            case PAID, COMPLETED -> List.of();
            case UNKNOWN, CANCELLED -> throw refused("paid");
        };
    }

    List<OrderEvent> complete() {
        return switch (status) {
            case PAID -> List.of(new Completed());
            case COMPLETED -> List.of();
            case UNKNOWN, INITIATED, CANCELLED -> throw refused("completed");
        };
    }

    /** An order that no longer waits for its payment is left unchanged: the call is late, or a repeat. */
    List<OrderEvent> cancelUnpaid() {
        return status == Status.INITIATED ? List.of(new Cancelled()) : List.of();
    }

    private IllegalStateException refused(String what) {
        return new IllegalStateException("order " + id + " is " + status + " and cannot be " + what);
    }
}

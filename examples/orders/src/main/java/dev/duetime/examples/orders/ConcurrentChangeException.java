package dev.duetime.examples.orders;

/** The exception for an order that was changed by others since it was loaded. */
final class ConcurrentChangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConcurrentChangeException(Order order) {
        super("order " + order.id() + " was changed by others since version " + order.version());
    }
}

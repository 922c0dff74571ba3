package dev.duetime.examples.orders;

/** Thrown when somebody else has changed an order since it was loaded. */
final class ConcurrentChangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConcurrentChangeException(Order order) {
        super("order " + order.id() + " was changed by others since version " + order.version());
    }
}

package dev.duetime.examples.orders;

import dev.duetime.store.Transaction;
import java.util.List;
import java.util.function.Function;

/** A store for the events of orders. Thread-safe. */
interface WriteModel {

    /**
     * Runs a command in a transaction: all that it writes is kept, or nothing if it throws.
     *
     * @throws ConcurrentChangeException if an order that it appends to was changed by others since it was loaded
     */
    <R> R transact(Function<Session, R> command);

    /** A transaction. Not thread-safe. */
    interface Session {

        /** Returns the present state of an order. */
        Order load(String orderId);

        /** Appends events to an order. */
        void append(Order order, List<OrderEvent> events);

        /** Returns the transaction, for the to-do list to join. */
        Transaction transaction();
    }
}

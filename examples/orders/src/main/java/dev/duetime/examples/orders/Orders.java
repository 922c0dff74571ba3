package dev.duetime.examples.orders;

import dev.duetime.examples.orders.OrderEvent.Cancelled;
import dev.duetime.examples.orders.OrderEvent.Initiated;
import dev.duetime.examples.orders.OrderEvent.PaymentRecorded;
import dev.duetime.examples.orders.WriteModel.Session;
import dev.duetime.todolist.ListItems;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The ordering process. Each command is one transaction: it loads the order, decides, appends the events, and updates
 * the list of unpaid orders. A command that loses a race against another one decides again. Thread-safe.
 */
public final class Orders {
    private static final int ATTEMPTS = 5;

    private final WriteModel model;
    private final TodoList<String> unpaid;
    private final Duration timeToPay;

    /**
     * Creates the process.
     *
     * @param unpaid the list of orders that wait for their payment, in the database of the write model
     */
    Orders(WriteModel model, TodoList<String> unpaid, Duration timeToPay) {
        this.model = model;
        this.unpaid = unpaid;
        this.timeToPay = timeToPay;
    }

    /** Places an order. */
    public void initiate(String orderId) {
        change(orderId, order -> order.initiate(timeToPay));
    }

    /**
     * Notes that an order was paid.
     *
     * @throws IllegalStateException if it is cancelled already, or was never placed
     */
    public void recordPayment(String orderId, long cents) {
        change(orderId, order -> order.recordPayment(cents));
    }

    /**
     * Notes that an order was delivered.
     *
     * @throws IllegalStateException if it is not paid
     */
    public void complete(String orderId) {
        change(orderId, Order::complete);
    }

    /** Cancels an order, unless it is paid. */
    public void cancelUnpaid(String orderId) {
        change(orderId, Order::cancelUnpaid);
    }

    /** Returns the present state of an order. */
    public Order find(String orderId) {
        return model.transact(session -> session.load(orderId));
    }

    private void change(String orderId, Function<Order, List<OrderEvent>> decision) {
        for (int attempt = 1; ; attempt++) {
            try {
                model.transact(session -> change(session, session.load(orderId), decision));
                return;
            } catch (ConcurrentChangeException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private int change(Session session, Order order, Function<Order, List<OrderEvent>> decision) {
        List<OrderEvent> decided = decision.apply(order);
        session.append(order, decided);
        ListItems<String> list = unpaid.in(session.transaction());
        decided.forEach(event -> project(event, order.id(), list));
        return decided.size();
    }

    /** Updates the list. An event that opens the order adds it, and an event that closes it removes it. */
    private static void project(OrderEvent event, String orderId, ListItems<String> list) {
        if (event instanceof Initiated initiated) {
            list.add(orderId, initiated.timeToPay());
        } else if (event instanceof PaymentRecorded || event instanceof Cancelled) {
            list.done(orderId);
        }
    }
}

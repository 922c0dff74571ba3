package dev.duetime.examples.takeorder;

import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A queue that sends a customer one mail about all orders of ten minutes, or at once when there are enough orders for a
 * mail. Thread-safe.
 */
final class Mails {
    private static final String TYPE = "orders-taken";
    private static final int ENOUGH = 10;

    private final Duration within;
    private final TodoQueue queue;

    /**
     * A mail that collects orders.
     *
     * @param customer to whom
     * @param orderIds about what
     */
    record Mail(String customer, List<String> orderIds) {
        private Mail and(Mail other) {
            return new Mail(
                    customer,
                    Stream.concat(orderIds.stream(), other.orderIds.stream()).toList());
        }
    }

    Mails(Outside outside, Duration within) {
        this.within = within;
        queue = TodoQueue.builder("mails")
                .type(
                        TYPE,
                        Mail.class,
                        (todo, run) -> {
                            outside.mail(
                                    todo.payload().customer(), todo.payload().orderIds());
                            return Outcome.complete();
                        },
                        type -> type.merge(
                                Merge.batch(Mail::and, mail -> mail.orderIds().size() >= ENOUGH)))
                .workers(2)
                .build();
    }

    TodoQueue queue() {
        return queue;
    }

    /** Enqueues a mail about an order to the customer, together with the outcome of a run: both or neither. */
    void tell(Order order, TodoRun run) {
        queue.enqueue(
                NewTodo.of(TYPE, new Mail(order.customer(), List.of(order.id())))
                        .correlationKey(order.customer())
                        .startAfter(within),
                run);
    }
}

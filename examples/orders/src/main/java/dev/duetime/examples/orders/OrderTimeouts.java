package dev.duetime.examples.orders;

import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.todolist.OverdueHandler;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;

/** The handler that cancels unpaid orders when a minute has passed. */
final class OrderTimeouts {

    private OrderTimeouts() {}

    static PassageOfTime eachMinute(Orders orders, TodoList<String> unpaid) {
        return PassageOfTime.builder()
                .on(MinuteHasPassed.class, "unpaid-orders", unpaid.forEachOverdue(cancelling(orders)))
                .build();
    }

    /**
     * Does not check whether the order still waits. The order itself decides, so a payment is accepted until the last
     * moment.
     */
    static OverdueHandler<String> cancelling(Orders orders) {
        return (orderId, now) -> {
            orders.cancelUnpaid(orderId);
            return Verdict.DONE;
        };
    }
}

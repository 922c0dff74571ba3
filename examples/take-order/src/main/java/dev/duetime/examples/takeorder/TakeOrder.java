package dev.duetime.examples.takeorder;

import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleResult;
import dev.duetime.examples.takeorder.Faults.Moment;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Steps;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The queue that takes orders. Each step is durable before the next one begins, so a crash repeats only the step in
 * which it happened. What a step writes in the transaction of its outcome, and what it enqueues, happens exactly once.
 * The payment service is called at least once. Thread-safe.
 */
final class TakeOrder {
    /** The steps, in their order. */
    static final List<String> STEPS =
            List.of("partition", "store", "stamp", "payments", "register", "insert", "mail", "approval");

    private static final String TYPE = "take-order";
    private static final String APPROVE = "approve-order";
    private static final String TAKEN = "taken";

    private final Outside outside;
    private final Faults faults;
    private final Mails mails;
    private final VendorReports reports;
    private final Duration approval;
    private final TodoQueue queue;

    TakeOrder(Outside outside, Faults faults, Mails mails, VendorReports reports, Duration approval) {
        this.outside = outside;
        this.faults = faults;
        this.mails = mails;
        this.reports = reports;
        this.approval = approval;
        queue = TodoQueue.builder("orders")
                .type(TYPE, Order.class, steps())
                .type(APPROVE, Order.class, this::approve)
                .retry(RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                        .maxAttempts(10))
                .build();
    }

    private Steps<Order> steps() {
        return Steps.begin("partition", faulty(this::assignPartition))
                .step("store", faulty(this::store))
                .step("stamp", faulty(this::stamp))
                .step("payments", faulty(this::pay))
                .step("register", faulty(this::register))
                .step("insert", faulty(this::insert))
                .step("mail", faulty(this::mail))
                .step("approval", faulty(this::enqueueApproval))
                .terminal(TAKEN)
                .build();
    }

    TodoQueue queue() {
        return queue;
    }

    /** Takes an order, durably; once, however often it is sent. Those of a customer are taken one after the other. */
    ScheduleResult take(Order order) {
        return queue.enqueue(NewTodo.of(TYPE, order)
                .id("take-" + order.id())
                .step("partition")
                .parallelKey(order.customer()));
    }

    private Outcome assignPartition(Todo<Order> todo, TodoRun run) {
        Order order = todo.payload();
        return Outcome.next("store").with(order.in(partitionOf(order.customer())));
    }

    static int partitionOf(String customer) {
        return 1 + Math.floorMod(customer.hashCode(), Tables.PARTITIONS);
    }

    private Outcome store(Todo<Order> todo, TodoRun run) throws SQLException {
        Tables.store(connection(run), todo.payload());
        return Outcome.next("stamp");
    }

    private Outcome stamp(Todo<Order> todo, TodoRun run) throws SQLException {
        Tables.stamp(connection(run), todo.payload());
        return Outcome.next("payments");
    }

    /** Holds no connection while the service is asked. */
    private Outcome pay(Todo<Order> todo, TodoRun run) throws IOException {
        Order order = todo.payload();
        return Outcome.next("register").with(order.paid(outside.pay(order.id(), order.cents())));
    }

    private Outcome register(Todo<Order> todo, TodoRun run) throws SQLException {
        Tables.status(connection(run), todo.payload(), "REGISTERED");
        reports.request(todo.payload(), run);
        return Outcome.next("insert");
    }

    private Outcome insert(Todo<Order> todo, TodoRun run) throws SQLException {
        Tables.insertSale(connection(run), todo.payload());
        return Outcome.next("mail");
    }

    private Outcome mail(Todo<Order> todo, TodoRun run) {
        mails.tell(todo.payload(), run);
        return Outcome.next("approval");
    }

    /** Needs no id: it is enqueued if and only if this step is done. */
    private Outcome enqueueApproval(Todo<Order> todo, TodoRun run) throws SQLException {
        Order order = todo.payload();
        Tables.status(connection(run), order, "TAKEN");
        queue.enqueue(NewTodo.of(APPROVE, order).parallelKey(order.customer()).startAfter(approval), run);
        return Outcome.next(TAKEN);
    }

    private Outcome approve(Todo<Order> todo, TodoRun run) throws SQLException {
        Tables.status(connection(run), todo.payload(), "APPROVED");
        return Outcome.complete();
    }

    private static Connection connection(TodoRun run) {
        return run.transaction(JdbcTransaction.class).connection();
    }

    private StepHandler<Order> faulty(StepHandler<Order> step) {
        return (todo, run) -> {
            strike(todo, run, Moment.BEGIN);
            Outcome outcome = step.execute(todo, run);
            strike(todo, run, Moment.END);
            return outcome;
        };
    }

    private void strike(Todo<Order> todo, TodoRun run, Moment moment) throws IOException {
        faults.strike(todo.payload().id(), todo.step(), run.attempt(), moment);
    }
}

package dev.duetime.examples.takeorder;

import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A queue that sends a vendor one report for all requests of an hour. Thread-safe. */
final class VendorReports {
    private static final String TYPE = "vendor-report";

    private final Duration every;
    private final TodoQueue queue;

    /**
     * A report that collects orders.
     *
     * @param vendor to whom
     * @param orderIds about what
     */
    record Report(String vendor, List<String> orderIds) {
        private Report and(Report other) {
            return new Report(
                    vendor,
                    Stream.concat(orderIds.stream(), other.orderIds.stream()).toList());
        }
    }

    VendorReports(Outside outside, Duration every) {
        this.every = every;
        queue = TodoQueue.builder("vendor-reports")
                .type(
                        TYPE,
                        Report.class,
                        (todo, run) -> {
                            outside.report(
                                    todo.payload().vendor(), todo.payload().orderIds());
                            return Outcome.complete();
                        },
                        type -> type.merge(Merge.collect(Report::and)))
                .workers(2)
                .build();
    }

    TodoQueue queue() {
        return queue;
    }

    /** Requests a report about an order, together with the outcome of a run: both or neither. */
    void request(Order order, TodoRun run) {
        queue.enqueue(
                NewTodo.of(TYPE, new Report(order.vendor(), List.of(order.id())))
                        .correlationKey(order.vendor())
                        .startAfter(every),
                run);
    }
}

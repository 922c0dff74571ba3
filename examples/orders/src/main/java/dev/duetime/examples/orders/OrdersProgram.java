package dev.duetime.examples.orders;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.todolist.OverdueHandler;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that places five orders and pays two of them. It ends when the others are cancelled. It uses seconds
 * instead of minutes.
 */
public final class OrdersProgram {
    private static final PrintStream OUT = System.out;
    private static final Duration TIME_TO_PAY = Duration.ofSeconds(3);

    private OrdersProgram() {}

    /** Runs the example. */
    public static void main(String[] args) throws SQLException, InterruptedException {
        try (HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl("jdbc:h2:mem:orders");
            TodoList<String> unpaid = TodoList.of("unpaid-orders");
            Orders orders = new Orders(new JdbcWriteModel(database), unpaid, TIME_TO_PAY);
            PassageOfTime seconds = PassageOfTime.builder()
                    .every(Duration.ofSeconds(1), "unpaid-orders", unpaid.forEachOverdue(cancelling(orders)))
                    .build();
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(database))
                    .extension(unpaid)
                    .extension(seconds)
                    .build()) {
                scheduler.start();
                run(orders, unpaid);
            }
        }
    }

    private static void run(Orders orders, TodoList<String> unpaid) throws InterruptedException {
        List<String> ids = List.of("17", "18", "19", "20", "21");
        for (String id : ids) {
            orders.initiate(id);
            OUT.println("order " + id + " is placed and must be paid within " + TIME_TO_PAY.toSeconds() + " s");
            TimeUnit.MILLISECONDS.sleep(500);
        }
        orders.recordPayment("18", 999);
        orders.recordPayment("21", 1_250);
        while (unpaid.overdue(Instant.MAX).findAny().isPresent()) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        ids.forEach(id -> OUT.println("order " + id + " is " + orders.find(id).status()));
    }

    private static OverdueHandler<String> cancelling(Orders orders) {
        return (orderId, now) -> {
            orders.cancelUnpaid(orderId);
            OUT.println("order " + orderId + " was not paid in time: "
                    + orders.find(orderId).status());
            return Verdict.DONE;
        };
    }
}

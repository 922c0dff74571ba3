package dev.duetime.examples.takeorder;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A program that takes six orders of three customers and counts likes. One step in four fails at first. It ends when
 * all orders are approved. It uses seconds instead of minutes and hours. Kill it and start it again on the same file:
 * it continues.
 */
public final class TakeOrderProgram {
    private static final PrintStream OUT = System.out;
    private static final Times FAST =
            new Times(Duration.ofSeconds(6), Duration.ofSeconds(1), Duration.ofSeconds(7), Duration.ofSeconds(8));
    private static final int ORDERS = 6;
    private static final int LIKES = 30;
    private static final int CUSTOMERS = 3;
    private static final int VENDORS = 2;
    private static final int PERCENT = 25;

    private TakeOrderProgram() {}

    /**
     * Runs the example.
     *
     * @param args the URL of an H2 database, one in memory by default; the seed of what fails, 7 by default
     */
    public static void main(String[] args) throws SQLException, InterruptedException {
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 7;
        try (HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(args.length > 0 ? args[0] : "jdbc:h2:mem:shop");
            try (Connection connection = database.getConnection()) {
                Tables.create(connection);
            }
            Shop shop = new Shop(new PrintingOutside(OUT), Faults.of(seed, PERCENT), FAST);
            SchedulerBuilder builder = Scheduler.builder()
                    .store(JdbcScheduleStore.of(database))
                    .nodeId("shop")
                    .listener(new PrintingListener(OUT));
            shop.addTo(builder);
            try (Scheduler scheduler = builder.build()) {
                scheduler.start();
                run(shop, database);
            }
        }
    }

    private static void run(Shop shop, HikariDataSource database) throws SQLException, InterruptedException {
        for (int i = 0; i < ORDERS; i++) {
            Order order = Order.of(
                    "order-" + (i + 1), "customer-" + (i % CUSTOMERS + 1), "vendor-" + (i % VENDORS + 1), 999 + i);
            OUT.println(order.id() + ": " + shop.orders.take(order).outcome());
        }
        for (int i = 0; i < LIKES; i++) {
            shop.likes.like("post-" + (i % 2 + 1));
            TimeUnit.MILLISECONDS.sleep(100);
        }
        while (numbers(database, "SELECT count(*) FROM shop_orders WHERE status = 'APPROVED'") < ORDERS) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        OUT.printf(
                "%d orders are approved, %d sold, %d numbered, %d likes are written%n",
                ORDERS,
                numbers(database, "SELECT count(*) FROM shop_sales"),
                numbers(database, "SELECT sum(last_number) FROM shop_partitions"),
                numbers(database, "SELECT coalesce(sum(likes), 0) FROM shop_likes"));
    }

    private static int numbers(HikariDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return Tables.number(connection, sql);
        }
    }
}

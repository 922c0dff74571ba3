package dev.duetime.examples.takeorder;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.examples.takeorder.Faults.Moment;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The program of the shop. It takes the given orders, and ends when all are taken. It appends its actions to a log,
 * which survives the process. It stops at the given points.
 */
final class ShopProcess implements Outside {
    private static final int CONNECTIONS = 16;
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final FileChannel log;
    private final Set<String> standStill;

    private ShopProcess(Path log, Set<String> standStill) throws IOException {
        this.log = FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        this.standStill = standStill;
    }

    /** Runs the shop. Arguments: URL, log, ids of orders, and the points (order, step and moment) at which to stop. */
    public static void main(String[] args) throws IOException, SQLException, InterruptedException {
        ShopProcess process = new ShopProcess(Path.of(args[1]), Set.of(args[3].split(",", -1)));
        // Ends this process when its parent has ended and can no longer kill it.
        Thread orphan = new Thread(ShopProcess::endWithParent, "orphan");
        orphan.setDaemon(true);
        orphan.start();
        try (HikariDataSource database = pool(args[0], CONNECTIONS)) {
            process.run(database, List.of(args[2].split(",", -1)));
        }
    }

    static HikariDataSource pool(String url, int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(size);
        return pool;
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // The parent never writes.
            }
        } catch (IOException e) {
            // The parent has ended.
        }
        Runtime.getRuntime().halt(1);
    }

    private void run(HikariDataSource database, List<String> orderIds) throws SQLException, InterruptedException {
        try (Connection connection = database.getConnection()) {
            Tables.create(connection);
        }
        Shop shop = new Shop(this, this::strike, Times.REAL);
        SchedulerBuilder builder = Scheduler.builder()
                .store(JdbcScheduleStore.of(database))
                .nodeId("shop")
                .leaseDuration(LEASE);
        shop.addTo(builder);
        try (Scheduler scheduler = builder.build()) {
            for (int i = 0; i < orderIds.size(); i++) {
                shop.orders.take(Order.of(orderIds.get(i), customerIn(i + 1), "vendor-" + i % 2, 999));
            }
            scheduler.start();
            // Only the rows show this. A listener is called before an outcome is written, and not for orders of an
            // earlier process.
            while (taken(database) < orderIds.size()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        write("done");
    }

    /** Returns a customer of a partition, so that no order waits for a number that another one holds. */
    private static String customerIn(int partition) {
        int i = 0;
        while (TakeOrder.partitionOf("customer-" + i) != partition) {
            i++;
        }
        return "customer-" + i;
    }

    private static int taken(HikariDataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return Tables.number(connection, "SELECT count(*) FROM shop_orders WHERE status = 'TAKEN'");
        }
    }

    private void strike(String orderId, String step, int attempt, Moment moment) {
        if (moment == Moment.BEGIN) {
            write("run %s %s".formatted(orderId, step));
        }
        if (standStill.contains("%s/%s/%s".formatted(orderId, step, moment))) {
            write("stands " + orderId);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String pay(String orderId, long cents) {
        write("paid " + orderId);
        return "receipt-" + orderId;
    }

    @Override
    public void mail(String customer, List<String> orderIds) {
        write("mail");
    }

    @Override
    public void report(String vendor, List<String> orderIds) {
        write("report");
    }

    private synchronized void write(String line) {
        try {
            log.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
